import { sso } from "@better-auth/sso";
import { genericOAuth } from "better-auth/plugins";
import { socialProviders } from "better-auth/social-providers";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";
import { registration, startOpenIdServer } from "./support/openid-server.ts";
import { ssoWorld } from "./support/sso-world.ts";

const SUBJECT = { sub: "42", email: "eve@evil.example", name: "Eve" };

describe("names of SSO providers", () => {
	// threat 71
	it("must not equal built-in social providers, configured or not", async () => {
		const world = await ssoWorld(["http://127.0.0.1:9"]);
		for (const name of Object.keys(socialProviders).map((id) => id.toLowerCase())) {
			const refused = await world.register(world.a, registration("http://127.0.0.1:9", name));
			expect([name, refused.status, refused.code]).toEqual([name, 422, "SSO_PROVIDER_ID_RESERVED"]);
		}
		expect(await world.tenantsOf("ssoProvider")).toEqual([]);
	});

	// threats 69 and 71
	it("must not have a meaning in URLs, or in databases that ignore case", async () => {
		const world = await ssoWorld(["http://127.0.0.1:9"]);
		const names = [
			"GitLab",
			"../victim/okta",
			"a/b",
			"a%2fb",
			"",
			".",
			"..",
			"a b",
			"a?b",
			"a#b",
			"ökta",
			"a".repeat(65),
		];
		for (const name of names) {
			const refused = await world.register(world.a, registration("http://127.0.0.1:9", name));
			expect([name, refused.status, refused.code]).toEqual([name, 400, "INVALID_SSO_PROVIDER_ID"]);
		}
		expect(await world.tenantsOf("ssoProvider")).toEqual([]);
	});

	// threat 71
	it("must not equal the application's generic OAuth providers", async () => {
		const generic = {
			providerId: "corporate",
			clientId: "client",
			clientSecret: "secret",
			authorizationUrl: "https://idp.example/authorize",
			tokenUrl: "https://idp.example/token",
		};
		const world = await composedWorld([sso(), genericOAuth({ config: [generic] })], {
			engine: { trustedOrigins: ["http://127.0.0.1:9"] },
		});
		const body = registration("http://127.0.0.1:9", "corporate");
		const refused = await world.call("/sso/register", { tenant: world.a, operator: true, body });
		expect([refused.status, refused.code]).toEqual([422, "SSO_PROVIDER_ID_RESERVED"]);
	});

	// threat 71
	it("prevent the tenant from configuring the social provider of that name while they exist", async () => {
		const world = await ssoWorld(["http://127.0.0.1:9"]);
		const { a, b } = world;
		await world.registered(a, registration("http://127.0.0.1:9", "okta"));
		// registered before such names were rejected
		await world.database.query(`update "ssoProvider" set "providerId" = 'gitlab'`);
		const register = (tenantId: string) =>
			world.call("/tenant/oauth-config/register", {
				operator: true,
				body: { tenantId, providerId: "gitlab", clientId: "id", clientSecret: "secret" },
			});
		expect(await register(a)).toMatchObject({ status: 409, code: "SSO_PROVIDER_EXISTS" });
		expect(await world.tenantsOf("tenantOauthConfig")).toEqual([]);
		expect((await register(b)).status).toBe(200);
	});
});

describe("accounts of SSO providers", () => {
	// threat 71
	it("differ from those of a social provider with the same name and subject", async () => {
		const server = await startOpenIdServer(() => SUBJECT);
		const world = await ssoWorld([server.issuer]);
		const { a } = world;
		const ada = await world.signUp(a, "ada@example.com");
		const { id: userId } = await world.whoami(ada);
		server.allow((await world.registered(a, registration(server.issuer, "okta"))).redirectURI);
		// Ada signed in with a social provider of this name, as user 42
		const now = new Date().toISOString();
		await world.database.query(
			`insert into "account" ("id", "tenantId", "accountId", "providerId", "userId", "createdAt", "updatedAt") values ('of-ada', '${a}', '42', 'okta', '${userId}', '${now}', '${now}')`,
		);
		const { browser, url } = await world.begin(a);
		const done = await world.call(await server.visit(url.href), { browser });
		expect(done.location).toBe("/home");
		const me = await world.whoami(browser);
		expect(me.id).not.toBe(userId);
		expect(me.email).toBe("eve@evil.example");
	});

	// threats 5 and 71
	it.each([
		["another issuer's subject", { sub: "42", email: "ada@example.com", email_verified: true }],
		["another user's email", { sub: "43", email: "ada@example.com", email_verified: true }],
	])("are not linked to a user by %s", async (_, claims) => {
		const server = await startOpenIdServer(() => claims);
		const world = await ssoWorld([server.issuer], { options: { trustEmailVerified: true } });
		const { a } = world;
		const ada = await world.signUp(a, "ada@example.com");
		const { id: userId } = await world.whoami(ada);
		await world.database.query(`update "user" set "emailVerified" = 1`);
		server.allow((await world.registered(a, registration(server.issuer, "okta"))).redirectURI);
		const { browser, url } = await world.begin(a);
		const refused = await world.call(await server.visit(url.href), { browser });
		expect(refused.location).toContain("error=account");
		expect(await world.whoami(browser)).toBeNull();
		expect(await world.database.query(`select * from "account" where "userId" = '${userId}'`)).toHaveLength(1);
	});

	// threats 5 and 73
	it("are linked by email, and verified, only inside the provider's verified domain", async () => {
		let claims = { sub: "1", email: "ada@corp.example", email_verified: true };
		const server = await startOpenIdServer(() => claims);
		const world = await ssoWorld([server.issuer], {
			options: { trustEmailVerified: true, domainVerification: { enabled: true } },
		});
		const { a } = world;
		for (const email of ["ada@corp.example", "bob@example.com"]) await world.signUp(a, email);
		await world.database.query(`update "user" set "emailVerified" = 1`);
		server.allow((await world.registered(a, registration(server.issuer, "okta"))).redirectURI);
		await world.verifyDomain(a, "okta");
		const signIn = async () => {
			const { browser, url } = await world.begin(a);
			const { location } = await world.call(await server.visit(url.href), { browser });
			return { location, user: await world.whoami(browser) };
		};
		expect(await signIn()).toMatchObject({ location: "/home", user: { email: "ada@corp.example" } });
		claims = { sub: "2", email: "bob@example.com", email_verified: true };
		expect(await signIn()).toEqual({ location: expect.stringContaining("error=account"), user: null });
		claims = { sub: "3", email: "new@example.com", email_verified: true };
		expect(await signIn()).toMatchObject({ user: { email: "new@example.com", emailVerified: false } });
		claims = { sub: "4", email: "new@corp.example", email_verified: true };
		expect(await signIn()).toMatchObject({ user: { email: "new@corp.example", emailVerified: true } });
		// the same user again, by the same account
		expect(await signIn()).toMatchObject({ user: { email: "new@corp.example", emailVerified: true } });
		expect(await world.database.query(`select * from "user"`)).toHaveLength(4);
	});
});

describe("accounts of generic OAuth providers", () => {
	// threat 71
	it("carry their authority, so a tenant's provider of that name cannot assert their users", async () => {
		const profile = { id: "42", email: "ada@example.com", emailVerified: true, name: "Ada" };
		const generic = genericOAuth({
			config: [
				{
					providerId: "gitlab",
					clientId: "client",
					clientSecret: "secret",
					authorizationUrl: "https://gitlab.corp.example/authorize",
					tokenUrl: "https://gitlab.corp.example/token",
					getToken: async () => ({ accessToken: "access" }),
					getUserInfo: async () => ({ ...profile, createdAt: new Date(), updatedAt: new Date() }),
				},
			],
		});
		const world = await composedWorld([generic]);
		for (const tenant of [world.a, world.b]) {
			const browser = new Browser();
			const body = { tenantId: tenant, provider: "gitlab", callbackURL: "/home" };
			const begun = await world.ok("/tenant/sign-in/social", { browser, body });
			const state = new URL(begun.json.url).searchParams.get("state") ?? "";
			const done = await world.call("/tenant/callback/gitlab", { browser, query: { code: "code", state } });
			expect(done.location).toBe("/home");
		}
		const accounts = await world.database.query(`select "accountId" from "account"`);
		expect(accounts).toHaveLength(2);
		for (const { accountId } of accounts) expect(accountId).toMatch(/^42@[0-9a-f]{32}$/);
	});
});
