import { emailOTP } from "better-auth/plugins/email-otp";
import { magicLink } from "better-auth/plugins/magic-link";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { isEngineFrom } from "test-kit/engine-version";
import { useIdentityProvider } from "test-kit/social";
import { type CallOptions, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";
import {
	ADA,
	BASE,
	CALLBACK_HOST,
	createSharedWorld,
	EVE,
	errorAt,
	REFUSED,
	SHARED_HOST,
	type SharedWorld,
	sharedURI,
	withParameter,
} from "./support/callback-host.ts";
import { asForm } from "./support/two-tenants.ts";

const idp = useIdentityProvider();

const accounts = (world: SharedWorld) =>
	world.database.query(
		'select "account"."tenantId", "email", "providerId" from "account" join "user" on "user"."id" = "account"."userId" order by "providerId", "email"',
	);

describe("linking through the callback host", () => {
	const start = async () => {
		const world = await createSharedWorld(idp());
		const ada = await world.signUpAt("acme.localhost", ADA.email);
		await world.signUpAt("globex.localhost", ADA.email);
		await world.database.query('update "user" set "emailVerified" = 1');
		const link = async (browser: Browser) => {
			const body = { provider: "gitlab", callbackURL: "/linked", errorCallbackURL: "/failed" };
			const begun = await world.at("acme.localhost", "/link-social", { browser, body });
			expect(begun.status, begun.text).toBe(200);
			return begun.json.url as string;
		};
		return { world, ada, link };
	};

	it("links the account to the user who began, in that tenant only", async () => {
		const { world, ada, link } = await start();
		const handed = await world.handOver(await link(ada), ADA);
		expect((await world.follow(handed.toString(), ada)).location).toBe("/linked");
		expect((await accounts(world)).filter(({ providerId }) => providerId === "gitlab")).toEqual([
			{ tenantId: world.acme, email: ADA.email, providerId: "gitlab" },
		]);
	});

	// threat 145; before 1.7.18, Better Auth completes it with every callback, see docs/engine-versions.md
	it.runIf(isEngineFrom(18))("links nothing if the session that began it ended after the hand-over", async () => {
		const { world, ada, link } = await start();
		const handed = await world.handOver(await link(ada), ADA);
		const browser = ada.copy();
		expect((await world.at("acme.localhost", "/sign-out", { browser: ada, body: {} })).status).toBe(200);
		expect(errorAt(await world.follow(handed.toString(), browser))).toBe("unable_to_link_account");
		expect((await accounts(world)).filter(({ providerId }) => providerId === "gitlab")).toEqual([]);
	});

	// threat 145
	it("links nothing in the browser of a victim who is signed in", async () => {
		const { world, ada, link } = await start();
		const eve = await world.signUpAt("acme.localhost", EVE.email);
		const forced = [await world.handOver(await link(eve), EVE), await world.handOver(await link(eve), ADA)];
		for (const url of forced) expect(errorAt(await world.follow(url.toString(), ada))).toBe("state_mismatch");
		expect((await accounts(world)).filter(({ providerId }) => providerId === "gitlab")).toEqual([]);
	});
});

describe("a victim's browser", () => {
	// threat 145
	it("is not signed in as the attacker, and gets no cookie from the callback host", async () => {
		const world = await createSharedWorld(idp());
		const eve = await world.begin("acme.localhost");
		// the victim follows the provider's redirect of the attacker's sign-in
		const victim = new Browser();
		const callback = await idp().authorize(eve.url, EVE);
		const handed = await world.follow(callback, victim);
		expect([handed.headers.getSetCookie(), victim.cookies.size]).toEqual([[], 0]);
		const ended = await world.follow(handed.location, victim);
		expect([ended.location, await world.users()]).toEqual(["/failed?error=state_mismatch", []]);
		expect(await world.sessionAt("acme.localhost", victim)).toBeNull();
	});

	// threat 145
	it("keeps its own pending sign-in and session, whatever arrives", async () => {
		const world = await createSharedWorld(idp());
		const { browser } = await world.signIn("acme.localhost", ADA);
		const eve = await world.begin("acme.localhost");
		const handed = await world.handOver(eve.url, EVE);
		const own = await world.begin("acme.localhost", { browser });
		expect(errorAt(await world.follow(handed.toString(), browser.copy()))).toBe("state_mismatch");
		expect((await world.sessionAt("acme.localhost", browser)).user.email).toBe(ADA.email);
		expect((await world.follow((await world.handOver(own.url, ADA)).toString(), browser)).location).toBe("/home");
	});
});

describe("mix-up", () => {
	// threat 147
	it("refuses a state at another provider's callback, before any provider is called", async () => {
		const world = await createSharedWorld(idp());
		const { url } = await world.begin("acme.localhost");
		const callback = await idp().authorize(url, ADA);
		const before = world.redeemed();
		const elsewhere = callback.replace("/shared-callback/gitlab", "/shared-callback/microsoft");
		expect((await world.follow(elsewhere)).location).toBe(REFUSED);
		expect(world.redeemed()).toBe(before);
	});

	// threat 147
	it("refuses a response that names another issuer (RFC 9207)", async () => {
		const world = await createSharedWorld(idp());
		const { browser, url } = await world.begin("acme.localhost");
		const callback = withParameter(await idp().authorize(url, ADA), "iss", "https://evil.example");
		const before = world.redeemed();
		const { location } = await world.follow(callback);
		expect((await world.follow(location, browser)).location).toBe("/failed?error=issuer_mismatch");
		expect([world.redeemed() - before, await world.users()]).toEqual([0, []]);
	});

	// threat 147
	it("refuses a code of one tenant's client in a flow of another's", async () => {
		const world = await createSharedWorld(idp());
		await world.registerOwn(world.acme);
		const own = await world.begin("acme.localhost");
		const other = await world.begin("globex.localhost");
		expect(new URL(own.url).searchParams.get("client_id")).toBe(`client-${world.acme}`);
		for (const [from, to] of [
			[own, other],
			[other, own],
		] as const) {
			const handed = await world.handOver(withParameter(from.url, "state", to.state), ADA);
			expect(errorAt(await world.follow(handed.toString(), to.browser))).toBe("invalid_code");
		}
		expect(await world.users()).toEqual([]);
		for (const host of ["acme.localhost", "globex.localhost"])
			expect((await world.signIn(host, ADA)).answer.location).toBe("/home");
		expect(
			idp()
				.tokenRequests.slice(-2)
				.map(({ clientId }) => clientId),
		).toEqual([`client-${world.acme}`, "shared"]);
	});

	// threat 147
	it("keeps a tenant's own server, and a config's own redirect URI, away from the callback host", async () => {
		const world = await createSharedWorld(idp());
		const own = `http://acme.localhost:3000/api/auth/tenant/callback/gitlab/${world.acme}`;
		const body = { providerId: "gitlab", clientId: "own", clientSecret: canarySecret("own"), options: idp().gitlab };
		idp().addClient({ clientId: "own", clientSecret: canarySecret("own"), redirectURIs: [own, sharedURI("gitlab")] });
		const register = (fields: Record<string, unknown>) =>
			world.call("/tenant/oauth-config/register", { operator: true, body: { ...body, ...fields } });
		expect((await register({ tenantId: world.acme })).json.callbackURLs).toEqual([own]);
		const { browser, url } = await world.begin("acme.localhost");
		expect(new URL(url).searchParams.get("redirect_uri")).toBe(own);
		const callback = await idp().authorize(url, ADA);
		const before = world.redeemed();
		const { search } = new URL(callback);
		expect((await world.follow(`${sharedURI("gitlab")}${search}`)).location).toBe(REFUSED);
		expect(world.redeemed()).toBe(before);
		const again = await world.begin("acme.localhost", { browser });
		expect((await world.follow(await idp().authorize(again.url, ADA), browser)).location).toBe("/home");
		const redirectURI = "http://localhost:3000/own/callback";
		const fixed = await register({ tenantId: world.globex, redirectURI, options: null });
		expect(fixed.json.callbackURLs).toEqual([redirectURI]);
		const begun = await world.begin("globex.localhost");
		expect(new URL(begun.url).searchParams.get("redirect_uri")).toBe(redirectURI);
	});

	it("shows one callback URL for both tenants", async () => {
		const world = await createSharedWorld(idp());
		for (const tenantId of [world.acme, world.globex]) {
			await world.registerOwn(tenantId);
			const { json } = await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId } });
			expect(json[0]).toMatchObject({ callbackURL: sharedURI("gitlab"), callbackURLs: [sharedURI("gitlab")] });
		}
	});
});

describe("open redirects", () => {
	// threat 148
	it("leads nowhere that the request names", async () => {
		const world = await createSharedWorld(idp());
		const evil = "https://evil.example/";
		const names = ["callbackURL", "errorCallbackURL", "newUserCallbackURL", "redirectTo", "errorURL", "returnTo"];
		for (const name of names.slice(0, 3)) {
			const body = { provider: "gitlab", callbackURL: "/home", [name]: evil };
			expect((await world.at("acme.localhost", "/tenant/sign-in/social", { body })).status).toBe(403);
		}
		const { browser, url } = await world.begin("acme.localhost");
		let callback = await idp().authorize(url, ADA);
		for (const name of names) callback = withParameter(callback, name, "/elsewhere");
		const { location } = await world.follow(callback);
		expect(location).toMatch(
			/^http:\/\/acme\.localhost:3000\/api\/auth\/tenant\/callback\/gitlab\?hand_over=[\w-]+&state=/,
		);
		expect((await world.follow(location, browser)).location).toBe("/home");
	});

	// threat 148
	it("exists on its own host only, whatever the headers say", async () => {
		const world = await createSharedWorld(idp());
		const { browser, url } = await world.begin("acme.localhost");
		const { pathname, search } = new URL(await idp().authorize(url, ADA));
		const before = world.redeemed();
		for (const host of [
			"acme.localhost",
			"globex.localhost",
			"localhost",
			"evil.example",
			`${CALLBACK_HOST}.evil.example`,
		]) {
			const answer = await world.call(`http://${host}:3000${pathname}${search}`, {
				headers: { "x-forwarded-host": CALLBACK_HOST, forwarded: `host=${CALLBACK_HOST}` },
			});
			expect([host, answer.status === 404 || answer.status === 403]).toEqual([host, true]);
		}
		expect(world.redeemed()).toBe(before);
		// and an untrusted header does not move it elsewhere
		const { location } = await world.follow(`${BASE}${pathname.replace("/api/auth", "")}${search}`, new Browser(), {
			headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" },
		});
		expect(location).toMatch(/^http:\/\/acme\.localhost:3000\//);
		expect((await world.follow(location, browser)).location).toBe("/home");
	});

	// threat 148
	it("sends nobody to a host that the tenant does not have, also if a row names it", async () => {
		const world = await createSharedWorld(idp());
		for (const host of ["evil.example", "globex.localhost", "acme.localhost.evil.example", ""]) {
			const { url } = await world.begin("acme.localhost");
			const callback = await idp().authorize(url, ADA);
			await world.database.query(
				`update "verification" set "value" = replace("value", '"returnTo":"acme.localhost"', '"returnTo":"${host}"')`,
			);
			expect((await world.follow(callback)).location).toBe(REFUSED);
			expect(await world.database.query('select "identifier" from "verification"')).toEqual([]);
		}
	});
});

describe("what a provider sends", () => {
	it("may be posted as a form, and the user's name goes into the row", async () => {
		const world = await createSharedWorld(idp());
		for (const host of ["acme.localhost", "globex.localhost"]) {
			const { browser, url } = await world.begin(host);
			const sent = Object.fromEntries(new URL(await idp().authorize(url, ADA)).searchParams);
			const user = JSON.stringify({ name: { firstName: "Augusta", lastName: "Byron" } });
			const form = asForm({ ...sent, user, id_token: "x" });
			// as browsers post it: from the provider's site
			const headers = { ...form.headers, origin: idp().gitlab.issuer, "sec-fetch-site": "cross-site" };
			const posted = await world.call(sharedURI("gitlab"), { body: form.body, headers });
			expect([posted.status, posted.location?.includes("Augusta")]).toEqual([302, false]);
			expect((await world.follow(posted.location, browser)).location).toBe("/home");
		}
		expect((await world.users()).length).toBe(2);
	});

	// threat 149
	it("is refused if it can be read in two ways, and redeems nothing", async () => {
		const world = await createSharedWorld(idp());
		const { browser, url, state } = await world.begin("acme.localhost");
		const other = await world.begin("globex.localhost");
		const callback = await idp().authorize(url, ADA);
		const before = world.redeemed();
		// two states name no tenant
		const twice = `${callback}&state=${encodeURIComponent(other.state)}`;
		expect(errorAt(await world.follow(twice))).toBe("invalid_callback_request");
		const form = asForm({ state: other.state, code: "x" });
		expect((await world.call(callback, { body: form.body, headers: form.headers })).location).toBe(REFUSED);
		// two codes end the flow at its own error URL
		const { location } = await world.follow(`${callback}&code=other`);
		expect((await world.follow(location, browser)).location).toBe("/failed?error=invalid_callback_request");
		expect([world.redeemed() - before, await world.users(), state.includes("~")]).toEqual([0, [], true]);
	});

	// threat 149
	it("is bounded: nothing huge reaches the provider, a row or a URL", async () => {
		const world = await createSharedWorld(idp());
		const huge = "x".repeat(20_000);
		const before = world.redeemed();
		for (const name of ["code", "iss", "user", "error", "error_description", "device_id", "unknown"]) {
			const { browser, state } = await world.begin("acme.localhost");
			const form = asForm({ state, code: "code", [name]: huge });
			const posted = await world.call(sharedURI("gitlab"), { body: form.body, headers: form.headers });
			expect([name, posted.status, (posted.location ?? huge).length < 1000]).toEqual([name, 302, true]);
			expect([name, errorAt(await world.follow(posted.location, browser))]).toEqual([name, "invalid_callback_request"]);
		}
		for (const state of [huge, `${huge}~x`, `x~${huge}`]) {
			const form = asForm({ state, code: "code" });
			const posted = await world.call(sharedURI("gitlab"), { body: form.body, headers: form.headers });
			expect([posted.status, errorAt(posted)]).toEqual([
				302,
				expect.stringMatching(/^(state_mismatch|invalid_callback_request)$/),
			]);
		}
		const enormous = asForm({ state: "x".repeat(40_000) });
		const refused = await world.call(sharedURI("gitlab"), { body: enormous.body, headers: enormous.headers });
		expect(refused.status).toBe(413);
		const long = await world.begin("acme.localhost");
		const form = asForm({ state: long.state, error: "e".repeat(9_000), error_description: "d".repeat(9_000) });
		const posted = await world.call(sharedURI("gitlab"), { body: form.body, headers: form.headers });
		expect((posted.location ?? "").length).toBeLessThan(1_000);
		expect([world.redeemed() - before, await world.users()]).toEqual([0, []]);
	});

	// threat 148
	it("passes no fragment of the provider's on to a tenant's host", async () => {
		const world = await createSharedWorld(idp());
		for (const query of ["", "&error=access_denied", "&code=made-up"]) {
			const { state } = await world.begin("acme.localhost");
			const { location } = await world.follow(`${sharedURI("gitlab")}?state=${encodeURIComponent(state)}${query}`);
			// the browser would append the fragment with the tokens of somebody else
			expect(location).toMatch(/^https?:\/\/acme\.localhost.*#_$/);
		}
		const { url } = await world.begin("acme.localhost");
		expect((await world.follow(await idp().authorize(url, ADA))).location).not.toContain("#");
	});

	it("may lack a code", async () => {
		const world = await createSharedWorld(idp());
		const { browser, state } = await world.begin("acme.localhost");
		const { location } = await world.follow(`${sharedURI("gitlab")}?state=${encodeURIComponent(state)}`);
		expect((await world.follow(location, browser)).location).toBe("/failed?error=no_code");
	});

	// threat 16
	it("is no token of another kind, also if its state names a victim", async () => {
		const plugins = [magicLink({ sendMagicLink: async () => {} }), emailOTP({ sendVerificationOTP: async () => {} })];
		const world = await createSharedWorld(idp(), { allPlugins: withTenants(SHARED_HOST, plugins) });
		await world.signUpAt("acme.localhost", ADA.email);
		const additionalData = { email: ADA.email, name: "x", value: "x" };
		const body = { provider: "gitlab", callbackURL: "/home", additionalData };
		const browser = new Browser();
		const begun = await world.at("acme.localhost", "/sign-in/social", { browser, body });
		const handed = await world.handOver(begun.json.url, EVE);
		const rows = () => world.database.query('select * from "verification"');
		const before = await rows();
		const [bare = ""] = (handed.searchParams.get("state") ?? "").split("~");
		const code = handed.searchParams.get("hand_over") ?? "";
		for (const token of [code, bare, `handed-over:${bare}`, String(before[0]?.identifier)]) {
			const tries: [string, CallOptions][] = [
				["/magic-link/verify", { query: { token, callbackURL: "/home" } }],
				["/sign-in/email-otp", { body: { email: ADA.email, otp: token } }],
				["/email-otp/reset-password", { body: { email: ADA.email, otp: token, password: PASSWORD } }],
				["/verify-email", { query: { token } }],
				["/reset-password", { body: { token, newPassword: PASSWORD } }],
				["/delete-user/callback", { query: { token } }],
			];
			for (const [path, call] of tries) {
				const attacker = browser.copy();
				const answer = await world.at("acme.localhost", path, { ...call, browser: attacker });
				expect([path, answer.status >= 400 || errorAt(answer) === "INVALID_TOKEN"]).toEqual([path, true]);
				expect([path, await world.sessionAt("acme.localhost", attacker)]).toEqual([path, null]);
			}
		}
		expect(await rows()).toEqual(before);
	});
});
