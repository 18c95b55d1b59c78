import { Browser } from "test-kit/browser";
import { PROVIDERS, useIdentityProvider } from "test-kit/social";
import { describe, expect, it } from "vitest";
import {
	ADA,
	createSharedWorld,
	EVE,
	errorAt,
	REFUSED,
	sharedURI,
	stateOf,
	withParameter,
} from "./support/callback-host.ts";

const idp = useIdentityProvider();

describe.each(PROVIDERS)("one callback host, with %s", (provider) => {
	it.each([false, true])("signs in at the tenant's host (Redis: %s)", async (redis) => {
		const world = await createSharedWorld(idp(), redis ? { redis, database: "postgres" } : {});
		const { browser, url } = await world.begin("acme.localhost", { provider });
		expect(new URL(url).searchParams.get("redirect_uri")).toBe(sharedURI(provider));
		const atCallbackHost = new Browser();
		const handed = await world.follow(await idp().authorize(url, ADA), atCallbackHost);
		const target = new URL(handed.location ?? "");
		expect(target.origin + target.pathname).toBe(`http://acme.localhost:3000/api/auth/tenant/callback/${provider}`);
		// nothing of the provider is in the URL
		expect([...target.searchParams.keys()].sort()).toEqual(["hand_over", "state"]);
		const policy = ["referrer-policy", "cache-control"].map((name) => handed.headers.get(name));
		expect(policy).toEqual(["no-referrer", "no-store"]);
		expect([atCallbackHost.cookies.size, await world.users()]).toEqual([0, []]);
		const done = await world.follow(handed.location, browser);
		expect([done.location, done.headers.get("referrer-policy")]).toEqual(["/home", "no-referrer"]);
		const { user, session } = await world.sessionAt("acme.localhost", browser);
		expect([user.email, session.tenantId]).toEqual([ADA.email, world.acme]);
		expect(idp().tokenRequests.at(-1)).toMatchObject({ redirectURI: sharedURI(provider), codeVerifier: true });
		// the same identity in the other tenant is another user
		expect((await world.signIn("globex.localhost", ADA, { provider })).answer.location).toBe("/home");
		expect((await world.users()).map(({ email }) => email)).toEqual([ADA.email, ADA.email]);
	});

	// threat 145
	it("refuses another browser, and then still takes the right one", async () => {
		const world = await createSharedWorld(idp());
		const { browser, url } = await world.begin("acme.localhost", { provider });
		const handed = (await world.handOver(url, EVE)).toString();
		const victim = new Browser();
		expect(errorAt(await world.follow(handed, victim))).toBe("state_mismatch");
		expect([await world.users(), await world.sessionAt("acme.localhost", victim)]).toEqual([[], null]);
		expect((await world.follow(handed, browser)).location).toBe("/home");
	});

	// threat 146
	it("takes each code once, on both hosts", async () => {
		const world = await createSharedWorld(idp());
		const { browser, url } = await world.begin("acme.localhost", { provider });
		const callback = await idp().authorize(url, ADA);
		const before = world.redeemed();
		const both = await Promise.all([1, 2, 3].map(() => world.follow(callback)));
		expect(world.redeemed() - before).toBe(1);
		const handed = both.flatMap(({ location }) => (location?.includes("hand_over=") ? [location] : []));
		expect(handed.length).toBe(1);
		expect((await world.follow(callback)).location).toBe(REFUSED);
		const ends = await Promise.all([1, 2, 3].map(() => world.follow(handed[0] ?? "", browser.copy())));
		expect(ends.filter(({ location }) => location === "/home").length).toBe(1);
		expect(errorAt(await world.follow(handed[0] ?? "", browser.copy()))).toBe("state_mismatch");
		expect(world.redeemed() - before).toBe(1);
	});

	// threat 144
	it("redeems no code of the provider at a tenant's host", async () => {
		const world = await createSharedWorld(idp());
		const { browser, url } = await world.begin("acme.localhost", { provider });
		const callback = new URL(await idp().authorize(url, ADA));
		const before = world.redeemed();
		const misplaced = callback.toString().replace("auth.localhost", "acme.localhost");
		expect((await world.follow(misplaced, browser)).status).toBe(404);
		// as if it were a hand-over: there is none yet
		const straight = `http://acme.localhost:3000/api/auth/tenant/callback/${provider}${callback.search}`;
		expect(errorAt(await world.follow(withParameter(straight, "hand_over", "x"), browser.copy()))).toBe(
			"state_mismatch",
		);
		expect(world.redeemed()).toBe(before);
		const handed = await world.follow(callback.toString());
		// the provider's own code does not open what was handed over
		const swapped = withParameter(handed.location ?? "", "hand_over", callback.searchParams.get("code") ?? "");
		expect(errorAt(await world.follow(swapped, browser))).toBe("state_mismatch");
		expect([world.redeemed() - before, await world.users()]).toEqual([1, []]);
	});

	// threat 144
	it("ends a flow whose code arrives at the tenant's host directly", async () => {
		const world = await createSharedWorld(idp());
		const { browser, url } = await world.begin("acme.localhost", { provider });
		const { search } = new URL(await idp().authorize(url, ADA));
		const before = world.redeemed();
		for (const path of ["/tenant/callback", "/callback"]) {
			const straight = `http://acme.localhost:3000/api/auth${path}/${provider}${search}`;
			expect(errorAt(await world.follow(straight, browser.copy()))).toBe("state_mismatch");
		}
		expect([world.redeemed() - before, await world.users()]).toEqual([0, []]);
	});

	// threat 144: the attack that a mere relay of code and state would allow
	it("hands no code of one tenant's flow to another tenant", async () => {
		const world = await createSharedWorld(idp());
		const own = await world.begin("acme.localhost", { provider });
		const decoy = await world.begin("globex.localhost", { provider });
		// Acme's challenge and nonce, with the attacker's own state
		const crafted = withParameter(own.url, "state", decoy.state);
		const handed = await world.handOver(crafted, ADA);
		expect(handed.host).toBe("globex.localhost:3000");
		expect([...handed.searchParams.keys()].sort()).toEqual(["hand_over", "state"]);
		expect(errorAt(await world.follow(handed.toString(), decoy.browser))).toBe("invalid_code");
		// and with what she has, she gets nowhere in her flow at Acme
		const stolen = withParameter(handed, "state", own.state).replace("globex.localhost", "acme.localhost");
		expect(errorAt(await world.follow(stolen, own.browser))).toBe("state_mismatch");
		expect(await world.users()).toEqual([]);
	});

	it("shows what a relay would give away: with the bare code, the attacker signs in to Acme as Ada", async () => {
		const world = await createSharedWorld(idp());
		const own = await world.begin("acme.localhost", { provider });
		const decoy = await world.begin("globex.localhost", { provider });
		const crafted = withParameter(own.url, "state", decoy.state);
		// a relay would send this to globex.localhost, or to a domain whose DNS the attacker controls
		const relayed = withParameter(await idp().authorize(crafted, ADA), "state", own.state);
		const { location } = await world.follow(relayed);
		expect((await world.follow(location, own.browser)).location).toBe("/home");
		expect((await world.sessionAt("acme.localhost", own.browser)).user.email).toBe(ADA.email);
	});

	// threat 146
	it("refuses the hand-over code of another flow in the same tenant", async () => {
		const world = await createSharedWorld(idp());
		const [mine, hers] = [
			await world.begin("acme.localhost", { provider }),
			await world.begin("acme.localhost", { provider }),
		];
		const first = await world.handOver(mine.url, ADA);
		const second = await world.handOver(hers.url, EVE);
		const swapped = withParameter(first, "hand_over", second.searchParams.get("hand_over") ?? "");
		expect(errorAt(await world.follow(swapped, mine.browser))).toBe("state_mismatch");
		expect(await world.users()).toEqual([]);
		expect((await world.follow(second.toString(), hers.browser)).location).toBe("/home");
	});

	// threat 146
	it("refuses a hand-over at another tenant, with another state, and a state with another tenant's tag", async () => {
		const world = await createSharedWorld(idp());
		const [mine, yours] = [
			await world.begin("acme.localhost", { provider }),
			await world.begin("globex.localhost", { provider }),
		];
		const callback = await idp().authorize(mine.url, ADA);
		const [value] = mine.state.split("~");
		const [, tag] = yours.state.split("~");
		expect((await world.follow(withParameter(callback, "state", `${value}~${tag}`))).location).toBe(REFUSED);
		const handed = new URL((await world.follow(callback)).location ?? "");
		const elsewhere = new URL(handed);
		elsewhere.hostname = "globex.localhost";
		expect((await world.follow(elsewhere.toString(), yours.browser)).code).toBe("TENANT_HOST_MISMATCH");
		const asTheirs = withParameter(elsewhere, "state", yours.state);
		expect(errorAt(await world.follow(asTheirs, yours.browser))).toBe("state_mismatch");
		expect((await world.follow(handed.toString(), mine.browser)).location).toBe("/home");
	});

	it("uses nothing up for a prefetch on either host", async () => {
		const world = await createSharedWorld(idp());
		const { browser, url } = await world.begin("acme.localhost", { provider });
		const callback = await idp().authorize(url, ADA);
		for (const headers of [
			{ "sec-purpose": "prefetch" },
			{ "sec-purpose": "prefetch;prerender" },
			{ purpose: "prefetch" },
		] as Record<string, string>[])
			expect((await world.follow(callback, new Browser(), { headers })).status).toBe(503);
		const { location } = await world.follow(callback);
		expect((await world.follow(location, browser, { headers: { "sec-purpose": "prefetch" } })).status).toBe(503);
		expect((await world.follow(location, browser)).location).toBe("/home");
	});

	it("passes the provider's errors on to the error URL of the flow, in its own browser only", async () => {
		const world = await createSharedWorld(idp());
		const { browser, state } = await world.begin("acme.localhost", { provider });
		const refused = new URL(sharedURI(provider));
		refused.search = new URLSearchParams({ state, error: "access_denied", error_description: "No" }).toString();
		const { location } = await world.follow(refused.toString());
		expect(stateOf(location ?? "")).toBe(state);
		expect((await world.follow(location, browser)).location).toBe("/failed?error=access_denied&error_description=No");
		// without a state, nobody's error URL
		refused.searchParams.delete("state");
		expect((await world.follow(refused.toString())).location).toBe(REFUSED);
	});
});
