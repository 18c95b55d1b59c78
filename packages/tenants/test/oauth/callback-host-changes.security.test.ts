import { betterAuth } from "better-auth";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { passTime } from "test-kit/pass-time";
import { useIdentityProvider } from "test-kit/social";
import { describe, expect, it } from "vitest";
import { tenantAuth, withTenants } from "../../src/index.ts";
import { tenantLifecycle } from "../../src/lifecycle.ts";
import {
	ADA,
	createSharedWorld,
	errorAt,
	holdTokenRequest,
	REFUSED,
	SHARED_HOST,
	type SharedWorld,
} from "./support/callback-host.ts";

const idp = useIdentityProvider();

const createLifecycleWorld = () =>
	createSharedWorld(idp(), { allPlugins: withTenants(SHARED_HOST, [tenantLifecycle()]) });

const change = (world: SharedWorld, path: string, body: Record<string, unknown>) =>
	world.call(path, { operator: true, body });

/** A sign-in that waits for the provider at the callback host while something changes. */
const whileHeld = async (world: SharedWorld, host: string, act: () => Promise<unknown>) => {
	const { browser, url } = await world.begin(host);
	const callback = await idp().authorize(url, ADA);
	const { held, release } = holdTokenRequest();
	const answer = world.follow(callback);
	await held;
	await act();
	release();
	return { browser, answer: await answer };
};

describe("a hand-over", () => {
	// threat 146
	it("is valid for 60 seconds", async () => {
		const world = await createSharedWorld(idp());
		const [late, intime] = [await world.begin("acme.localhost"), await world.begin("globex.localhost")];
		const urls = [await world.handOver(late.url, ADA), await world.handOver(intime.url, ADA)].map(String);
		passTime(59_000);
		expect((await world.follow(urls[1] ?? "", intime.browser)).location).toBe("/home");
		passTime(2_000);
		expect(errorAt(await world.follow(urls[0] ?? "", late.browser))).toBe("state_mismatch");
		expect((await world.users()).map(({ tenantId }) => tenantId)).toEqual([world.globex]);
	});

	// threat 146
	it("does not outlive its state, and no code is redeemed with a state that expired", async () => {
		const world = await createSharedWorld(idp());
		const { url } = await world.begin("acme.localhost");
		const callback = await idp().authorize(url, ADA);
		const before = world.redeemed();
		await world.database.query(`update "verification" set "expiresAt" = '2100-01-01T00:00:00.000Z'`);
		passTime(601_000);
		expect((await world.follow(callback)).location).toBe(REFUSED);
		expect(world.redeemed()).toBe(before);
	});

	// threat 146
	it("cannot be moved to another state, and contains no verifier and no token in clear", async () => {
		const world = await createSharedWorld(idp());
		const [mine, hers] = [await world.begin("acme.localhost"), await world.begin("acme.localhost")];
		const [to] = [await world.handOver(mine.url, ADA), await world.handOver(hers.url, ADA)];
		const rows = await world.database.query('select "identifier", "value" from "verification"');
		expect(rows.map(({ identifier }) => String(identifier).split(":")[0])).toEqual(["handed-over", "handed-over"]);
		const values = rows.map(({ value }) => JSON.parse(String(value)));
		expect(values.map(({ codeVerifier }) => codeVerifier)).toEqual(["", ""]);
		expect(JSON.stringify(values)).not.toMatch(/accessToken|ada@example/);
		// a copied ciphertext names its own state
		const [own] = mine.state.split("~");
		const target = values.find(({ oauthState }) => oauthState === own);
		const source = values.find(({ oauthState }) => oauthState !== own);
		target.serverContext.handOver.sealed = source.serverContext.handOver.sealed;
		await world.database.query(
			`update "verification" set "value" = '${JSON.stringify(target)}' where "identifier" = 'handed-over:${own}'`,
		);
		expect(errorAt(await world.follow(String(to), mine.browser))).toBe("state_mismatch");
		expect(await world.users()).toEqual([]);
	});
});

describe("while the provider is called at the callback host", () => {
	// threat 149
	it("a removed domain ends the flow there, also if another tenant has it now", async () => {
		const world = await createSharedWorld(idp());
		const domain = "login.acme.example";
		for (const moves of [false, true]) {
			await world.addDomain(world.acme, domain);
			const { answer } = await whileHeld(world, domain, async () => {
				await change(world, "/tenant/domain/remove", { tenantId: world.acme, domain });
				if (moves) expect((await world.addDomain(world.globex, domain)).status).toBe(200);
			});
			expect(answer.location).toBe(REFUSED);
		}
		expect(await world.database.query('select "identifier" from "verification"')).toEqual([]);
	});

	// threat 149
	it("a suspended tenant gets nothing, and another tenant signs in", async () => {
		const world = await createLifecycleWorld();
		const { browser, answer } = await whileHeld(world, "acme.localhost", () =>
			change(world, "/tenant/suspend", { tenantId: world.acme, reason: "test" }),
		);
		expect([answer.status, answer.code, answer.location]).toEqual([403, "TENANT_SUSPENDED", null]);
		expect(await world.database.query('select "identifier" from "verification"')).toEqual([]);
		await change(world, "/tenant/restore", { tenantId: world.acme, reason: "test" });
		expect(await world.sessionAt("acme.localhost", browser)).toBeNull();
		expect((await world.signIn("globex.localhost", ADA)).answer.location).toBe("/home");
	});

	// threat 149
	it.each(["deleted", "changed", "disabled"])("a config that is %s ends the flow at its error URL", async (how) => {
		const world = await createSharedWorld(idp());
		for (const tenantId of [world.acme, world.globex]) await world.registerOwn(tenantId);
		const { browser, answer } = await whileHeld(world, "acme.localhost", async () => {
			if (how === "deleted")
				await change(world, "/tenant/oauth-config/delete", { tenantId: world.acme, providerId: "gitlab" });
			else await world.registerOwn(world.acme, { enabled: how !== "disabled" });
		});
		expect(errorAt(await world.follow(answer.location, browser))).toBe("state_mismatch");
		expect(await world.users()).toEqual([]);
		expect((await world.signIn("globex.localhost", ADA)).answer.location).toBe("/home");
	});
});

describe("after the hand-over", () => {
	// threat 149
	it.each(["domain", "slug"])("a %s that another tenant has now signs nobody in there", async (what) => {
		const world = await createSharedWorld(idp());
		const domain = "login.acme.example";
		await world.addDomain(world.acme, domain);
		const host = what === "domain" ? domain : "acme.localhost";
		const { browser, url } = await world.begin(host);
		const handed = String(await world.handOver(url, ADA));
		if (what === "domain") {
			await change(world, "/tenant/domain/remove", { tenantId: world.acme, domain });
			expect((await world.addDomain(world.globex, domain)).status).toBe(200);
		} else {
			await change(world, "/tenant/update", { tenantId: world.acme, slug: "acme-before" });
			expect((await change(world, "/tenant/update", { tenantId: world.globex, slug: "acme" })).status).toBe(200);
		}
		expect((await world.at(host, "/tenant/current")).json.id).toBe(world.globex);
		const answer = await world.follow(handed, browser);
		expect([answer.code, answer.location]).toEqual(["TENANT_HOST_MISMATCH", null]);
		expect([answer.headers.getSetCookie(), await world.users()]).toEqual([[], []]);
	});
});

describe("between the start and the provider's redirect", () => {
	// threat 149
	it("a suspended or deleted tenant ends the flow", async () => {
		const world = await createLifecycleWorld();
		const flows = [await world.begin("acme.localhost"), await world.begin("globex.localhost")];
		const callbacks = await Promise.all(flows.map(({ url }) => idp().authorize(url, ADA)));
		const before = world.redeemed();
		await change(world, "/tenant/suspend", { tenantId: world.acme, reason: "test" });
		expect((await change(world, "/tenant/delete", { tenantId: world.globex })).status).toBe(200);
		expect((await world.follow(callbacks[0] ?? "")).code).toBe("TENANT_SUSPENDED");
		expect((await world.follow(callbacks[1] ?? "")).location).toBe(REFUSED);
		expect(world.redeemed()).toBe(before);
	});

	// threat 27
	it("another process may change the config: the new one is used, a stale one never", async () => {
		const world = await createSharedWorld(idp());
		const other = betterAuth({ ...world.options, plugins: [tenantAuth(SHARED_HOST)] });
		const atOther = async (url: string, browser = new Browser()) => {
			const headers = new Headers({ cookie: browser.header() });
			const response = await other.handler(new Request(url, { headers }));
			browser.take(response);
			return response.headers.get("location") ?? "";
		};
		// the other process caches that there is no config
		const warm = await world.begin("acme.localhost");
		expect(await atOther(await idp().authorize(warm.url, ADA))).toContain("hand_over=");
		await world.registerOwn(world.acme);
		const fresh = await world.begin("acme.localhost");
		const handed = await atOther(await idp().authorize(fresh.url, ADA));
		expect(idp().tokenRequests.at(-1)?.clientId).toBe(`client-${world.acme}`);
		expect(await atOther(handed, fresh.browser)).toBe("/home");
		// a flow of the old config ends, although this process knows only the new one
		const old = await world.begin("globex.localhost");
		const callback = await idp().authorize(old.url, ADA);
		const before = world.redeemed();
		await world.registerOwn(world.globex);
		const ended = await world.follow(callback);
		expect(errorAt(await world.follow(ended.location, old.browser))).toBe("state_mismatch");
		expect(world.redeemed()).toBe(before);
	});
});

describe("the test of a config", () => {
	const PAGE = "http://localhost:3000/admin";
	const startTest = async (world: SharedWorld, host = "localhost", tenantId = world.acme) => {
		const browser = new Browser();
		const begun = await world.at(host, "/tenant/oauth-config/test", {
			operator: true,
			browser,
			body: { tenantId, providerId: "gitlab", callbackURL: host === "localhost" ? PAGE : "/admin" },
		});
		expect(begun.status, begun.text).toBe(200);
		return { browser, url: begun.json.url as string };
	};
	const endOf = async (world: SharedWorld, { browser, url }: { browser: Browser; url: string }) =>
		(await world.follow(String(await world.handOver(url, ADA)), browser)).location;

	it("goes through the callback host, at the platform's host and the tenant's, and signs nobody in", async () => {
		const world = await createSharedWorld(idp());
		await world.registerOwn(world.acme, { enabled: false });
		expect(await endOf(world, await startTest(world))).toBe(`${PAGE}?oauth-test=ok`);
		expect(await endOf(world, await startTest(world, "acme.localhost"))).toBe(
			"http://acme.localhost:3000/admin?oauth-test=ok",
		);
		const other = await startTest(world);
		const handed = await world.handOver(other.url, ADA);
		expect(errorAt(await world.follow(String(handed), new Browser()))).toBe("state_mismatch");
		expect(await world.users()).toEqual([]);
	});

	it("says why it failed", async () => {
		const world = await createSharedWorld(idp());
		await world.registerOwn(world.acme);
		await world.registerOwn(world.globex);
		const changed = await startTest(world, "localhost", world.globex);
		await world.registerOwn(world.globex);
		expect(await endOf(world, changed)).toBe(`${PAGE}?oauth-test=failed&error=config_changed`);
		const { browser, url } = await startTest(world);
		const denied = new URL(await idp().authorize(url, ADA));
		denied.searchParams.delete("code");
		const missing = await world.follow(denied.toString());
		expect((await world.follow(missing.location, browser)).location).toBe(`${PAGE}?oauth-test=failed&error=no_code`);
		const wrong = { clientSecret: canarySecret("wrong") };
		await world.registerOwn(world.acme, wrong);
		expect(await endOf(world, await startTest(world))).toBe(`${PAGE}?oauth-test=failed&error=invalid_client`);
	});

	// threat 146
	it("has a state that does not sign in, and a sign-in's state tests nothing", async () => {
		const world = await createSharedWorld(idp());
		await world.registerOwn(world.acme);
		const test = await startTest(world, "acme.localhost");
		const handed = await world.handOver(test.url, ADA);
		await world.database.query(`update "verification" set "value" = replace("value", '"test:/', '"/')`);
		// whoever could write rows could sign in; the hand-over is still bound to its browser
		expect(errorAt(await world.follow(String(handed), new Browser()))).toBe("state_mismatch");
		const sign = await world.begin("acme.localhost");
		await world.database.query(
			`update "verification" set "value" = replace("value", '"/tenant/shared-callback/gitlab"', '"test:/tenant/callback/gitlab"')`,
		);
		expect((await world.follow(await idp().authorize(sign.url, ADA))).location).toBe(REFUSED);
		expect(await world.users()).toEqual([]);
	});
});
