import { Browser } from "test-kit/browser";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { registration, startOpenIdServer, startRelay } from "./support/openid-server.ts";
import { callbackOf, ssoWorld } from "./support/sso-world.ts";

const ADA = { sub: "ada", email: "ada@victim.example", email_verified: true, name: "Ada" };

/**
 * The mix-up attack (RFC 9700, section 4.4). The attacker starts a flow at the victim's tenant. The evil tenant's
 * server forwards Ada to the victim's identity provider with that flow's challenge, and waits for her code.
 */
const mixUp = async (victimIsPlatform = false) => {
	const honest = await startOpenIdServer(() => ADA);
	let target = "";
	let challenge = "";
	const evil = await startRelay((state) => {
		const query = new URLSearchParams({
			client_id: "client",
			response_type: "code",
			scope: "openid email",
			redirect_uri: target,
			state,
			code_challenge: challenge,
			code_challenge_method: "S256",
		});
		return `${honest.issuer}/authorize?${query}`;
	});
	const world = await ssoWorld([honest.issuer, evil.issuer], { options: { trustEmailVerified: true } });
	const victim = victimIsPlatform ? undefined : world.a;
	const admin = await world.signUp(undefined, "operator@example.com");
	const registered = victim
		? await world.registered(victim, registration(honest.issuer, "okta"))
		: (await world.ok("/sso/register", { browser: admin, body: registration(honest.issuer, "okta") })).json;
	honest.allow(registered.redirectURI);
	await world.registered(world.b, registration(evil.issuer, "okta"));
	target = registered.redirectURI;

	const attacker = await world.begin(victim);
	challenge = attacker.url.searchParams.get("code_challenge") ?? "";
	const ada = await world.begin(world.b);
	let next = ada.url.href;
	for (let hop = 0; hop < 4 && next.startsWith("http://127.0.0.1"); hop++) next = await honest.visit(next);
	const misled = await world.call(next, { browser: ada.browser });
	return { world, honest, evil, attacker, misled, next };
};

describe("an OAuth mix-up between two tenants' SSO providers of one name", () => {
	// threat 69
	it.each([
		["another tenant", false],
		["the platform", true],
	])("sends the evil tenant's server no code of %s", async (_, victimIsPlatform) => {
		const { world, honest, evil, attacker, misled, next } = await mixUp(victimIsPlatform);
		const code = new URL(next).searchParams.get("code") ?? "";
		expect(code).not.toBe("");
		expect(evil.stolen).toEqual([]);
		expect(misled.headers.getSetCookie().join()).not.toContain("session_token");
		// the attacker completes their own flow with everything they have
		const address = attacker.url.searchParams.get("redirect_uri") ?? "";
		const query = { code: evil.stolen.at(-1) ?? "", state: attacker.state };
		await world.call(address, { browser: attacker.browser, query });
		const signedIn = await world.whoami(attacker.browser);
		expect([signedIn, honest.redeemed]).toEqual([null, []]);
	});

	// threat 69
	it("gives each tenant and provider its own redirect URI, and sends codes only there", async () => {
		const server = await startOpenIdServer(() => ADA);
		const world = await ssoWorld([server.issuer]);
		const { a, b } = world;
		for (const tenant of [a, b]) {
			const { redirectURI } = await world.registered(tenant, registration(server.issuer, "okta"));
			expect(redirectURI).toBe(callbackOf(tenant));
			server.allow(redirectURI);
		}
		for (const tenant of [a, b]) {
			const { browser, url, state } = await world.begin(tenant);
			expect(url.searchParams.get("redirect_uri")).toBe(callbackOf(tenant));
			const back = await server.visit(url.href);
			const code = new URL(back).searchParams.get("code") ?? "";
			// at the other tenant's address, at the platform's, and at the platform's with a hint
			const elsewhere = [callbackOf(tenant === a ? b : a), `${ORIGIN}/api/auth/sso/callback/okta`];
			for (const address of elsewhere) {
				for (const hint of [undefined, tenant]) {
					const refused = await world.call(address, { browser: browser.copy(), tenant: hint, query: { code, state } });
					expect([address, refused.location]).toEqual([address, expect.stringContaining("error=state_mismatch")]);
				}
			}
			expect(server.redeemed).not.toContain(code);
			// a hint for the other tenant is ignored: the address names the tenant
			const done = await world.call(back, { browser, tenant: tenant === a ? b : a });
			expect(done.location).toBe("/home");
			expect(await world.whoami(browser)).toMatchObject({ tenantId: tenant, email: ADA.email });
		}
		const users = await world.database.query(`select "id" from "user" where "email" = 'ada@victim.example'`);
		expect(users).toHaveLength(2);
	});

	// threat 69
	it("rejects a code at the address of another provider of the same tenant", async () => {
		const server = await startOpenIdServer(() => ADA);
		const world = await ssoWorld([server.issuer]);
		for (const name of ["okta", "entra"]) {
			server.allow((await world.registered(world.a, registration(server.issuer, name))).redirectURI);
		}
		const { browser, url } = await world.begin(world.a);
		const back = await server.visit(url.href);
		const refused = await world.call(back.replace("/okta?", "/entra?"), { browser });
		expect(refused.location).toContain("error=invalid_state");
		expect([await world.whoami(browser), server.redeemed]).toEqual([null, []]);
	});

	// threats 12 and 69
	it("rejects a social state at an SSO callback and an SSO state at a social one", async () => {
		const server = await startOpenIdServer(() => ADA);
		const google = { clientId: "google", clientSecret: "google-secret" };
		const world = await ssoWorld([server.issuer], { engine: { socialProviders: { google } } });
		server.allow((await world.registered(world.a, registration(server.issuer, "okta"))).redirectURI);
		const social = new Browser();
		const begun = await world.ok("/tenant/sign-in/social", {
			browser: social,
			body: { tenantId: world.a, provider: "google", callbackURL: "/home" },
		});
		const [state = ""] = (new URL(begun.json.url).searchParams.get("state") ?? "").split("~");
		const atSso = await world.call(callbackOf(world.a), { browser: social, query: { code: "code", state } });
		expect(atSso.location).toContain("error=state_mismatch");

		const { browser, state: ssoState } = await world.begin(world.a);
		const tag = Buffer.from(world.a).toString("base64url");
		const atSocial = await world.call("/tenant/callback/google", {
			browser,
			query: { code: "code", state: `${ssoState}~${tag}` },
		});
		expect(atSocial.location).toContain("error=state_mismatch");
		expect(server.redeemed).toEqual([]);
	});

	// threat 69
	it("rejects a response that another issuer signed, and redeems nothing", async () => {
		const server = await startOpenIdServer(() => ADA);
		const world = await ssoWorld([server.issuer]);
		server.allow((await world.registered(world.a, registration(server.issuer, "okta"))).redirectURI);
		const { browser, url } = await world.begin(world.a, { providerId: "okta", errorCallbackURL: "/failed" });
		const back = new URL(await server.visit(url.href));
		back.searchParams.set("iss", "https://evil.example");
		const refused = await world.call(back.href, { browser });
		expect(refused.location).toBe("/failed?error=issuer_mismatch&error_description=response_of_another_issuer");
		expect([await world.whoami(browser), server.redeemed]).toEqual([null, []]);
	});

	// threat 69
	it("returns 404 for addresses of missing tenants, of the platform and of malformed names", async () => {
		const world = await ssoWorld([]);
		for (const name of ["nobody", "platform", "a%2Fb", "~", "a".repeat(65)]) {
			const answer = await world.call(`/tenants/${name}/sso/callback/okta`, { query: { code: "c", state: "s" } });
			expect([name, answer.status, answer.code]).toEqual([name, 404, "TENANT_NOT_FOUND"]);
		}
	});
});
