import { sso } from "@better-auth/sso";
import { createAuthMiddleware } from "better-auth/api";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import type { AuditEntry, ManagementAttempt } from "../../src/index.ts";
import { withTenants } from "../../src/index.ts";
import { registration, startOpenIdServer } from "./support/openid-server.ts";
import { ssoWorld } from "./support/sso-world.ts";

const ISSUER = "http://127.0.0.1:9";
const PRIVATE_KEY = "-----BEGIN PRIVATE KEY-----\nkey-of-the-tenant\n-----END PRIVATE KEY-----";

const saml = (providerId: string) => ({
	providerId,
	issuer: "https://sp.example",
	domain: "corp.example",
	samlConfig: {
		entryPoint: "https://idp.example/sso",
		cert: Buffer.from("certificate").toString("base64"),
		idpMetadata: { entityID: "https://idp.example", privateKey: PRIVATE_KEY, encPrivateKeyPass: "pass-of-the-idp" },
		spMetadata: { privateKey: PRIVATE_KEY, encPrivateKey: PRIVATE_KEY },
		privateKey: PRIVATE_KEY,
	},
});

/** Tenant users whose email begins with `admin` may manage their own tenant's providers. */
const managedWorld = async () => {
	const entries: AuditEntry[] = [];
	const attempts: ManagementAttempt[] = [];
	/** what the application's hook receives */
	const sessions: unknown[] = [];
	const world = await createWorld({
		engine: {
			trustedOrigins: [ISSUER],
			hooks: { after: createAuthMiddleware(async (ctx) => void sessions.push(ctx.context.session)) },
		},
		allPlugins: withTenants(
			{
				management: {
					keys: [MANAGEMENT_KEY],
					authorize: (attempt) => {
						attempts.push(attempt);
						const { session, tenantId } = attempt;
						return session?.session.tenantId === tenantId && String(session.user.email).startsWith("admin");
					},
					audit: (entry) => void entries.push(entry),
				},
				deletion: { drainTime: 0 },
			},
			[sso({ domainVerification: { enabled: true } })],
		),
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	return { ...world, a, b, entries, attempts, sessions };
};

describe("identity providers of a tenant", () => {
	// threat 72
	it("are managed only by users who may manage the tenant, regardless of who registered them", async () => {
		const { a, b, call, signUp, entries, database } = await managedWorld();
		const [admin, other, member] = [
			await signUp(a, "admin@acme.example"),
			await signUp(a, "admin2@acme.example"),
			await signUp(a, "member@acme.example"),
		];
		const neighbor = await signUp(b, "admin@globex.example");
		const calls = [
			["/sso/register", registration(ISSUER, "okta")],
			["/sso/update-provider", { providerId: "okta", domain: "other.example" }],
			["/sso/request-domain-verification", { providerId: "okta" }],
			["/sso/verify-domain", { providerId: "okta" }],
			["/sso/delete-provider", { providerId: "okta" }],
		] as const;
		const reads = ["/sso/providers", "/sso/get-provider?providerId=okta"];
		for (const [path, body] of calls) {
			const refused = await call(path, { browser: member, body });
			expect([path, refused.status, refused.code]).toEqual([path, 403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
			expect((await call(path, { tenant: a, body })).status).toBe(401);
		}
		for (const path of reads) expect((await call(path, { browser: member })).status).toBe(403);
		expect(entries.filter(({ outcome }) => outcome === "refused")).toHaveLength(2 * calls.length + reads.length);
		expect(await database.query(`select * from "ssoProvider"`)).toEqual([]);

		expect((await call("/sso/register", { browser: admin, body: registration(ISSUER, "okta") })).status).toBe(200);
		// it belongs to the tenant: another admin sees and changes it, another tenant cannot see it
		expect((await call("/sso/providers", { browser: other })).json.providers).toHaveLength(1);
		expect((await call("/sso/providers", { browser: neighbor })).json.providers).toEqual([]);
		for (const [path, body] of calls.slice(1)) {
			expect([path, (await call(path, { browser: neighbor, body })).status]).toEqual([path, 404]);
		}
		expect((await call("/sso/update-provider", { browser: other, body: calls[1][1] })).status).toBe(200);
		// and it stays when its registrant is deleted
		await database.query(`delete from "user" where "email" = 'admin@acme.example'`);
		expect((await call("/sso/providers", { tenant: a, operator: true })).json.providers).toHaveLength(1);
		expect((await call("/sso/delete-provider", { browser: other, body: { providerId: "okta" } })).status).toBe(200);
		expect(await database.query(`select * from "ssoProvider"`)).toEqual([]);
		const allowed = entries.filter(
			({ action, outcome }) => action.startsWith("sso-provider:") && outcome === "allowed",
		);
		expect(new Set(allowed.map(({ action }) => action))).toEqual(
			new Set([
				"sso-provider:register",
				"sso-provider:list",
				"sso-provider:update",
				"sso-provider:verify-domain",
				"sso-provider:delete",
			]),
		);
	});

	// threat 72
	it("create no session for a management key", async () => {
		const { a, call, sessions } = await managedWorld();
		const browser = new Browser();
		const body = registration(ISSUER, "okta");
		const answer = await call("/sso/register", { tenant: a, operator: true, browser, body });
		expect(answer.status).toBe(200);
		expect([answer.headers.getSetCookie(), sessions.at(-1)]).toEqual([[], null]);
		expect((await call("/sso/saml2/logout/okta", { tenant: a, operator: true, body: {} })).status).toBe(401);
	});

	// threat 72
	it("store secrets encrypted and never return them", async () => {
		const { a, call, database, options } = await managedWorld();
		const answers = [
			await call("/sso/register", { tenant: a, operator: true, body: registration(ISSUER, "okta") }),
			await call("/sso/register", { tenant: a, operator: true, body: saml("adfs") }),
			await call("/sso/providers", { tenant: a, operator: true }),
			await call("/sso/update-provider", {
				tenant: a,
				operator: true,
				body: { providerId: "okta", oidcConfig: { clientSecret: "client-secret-two" } },
			}),
			await call("/sso/update-provider", {
				tenant: a,
				operator: true,
				body: { providerId: "adfs", samlConfig: { privateKey: PRIVATE_KEY } },
			}),
			await call("/sso/get-provider", { tenant: a, operator: true, query: { providerId: "adfs" } }),
		];
		for (const { status, text } of answers) {
			expect([status, text]).toEqual([
				200,
				expect.not.stringMatching(/client-secret|key-of-the-tenant|pass-of-the-idp/),
			]);
		}
		const stored = JSON.stringify(await database.query(`select * from "ssoProvider"`));
		expect(stored).not.toMatch(/client-secret|key-of-the-tenant|pass-of-the-idp|clientId/);
		expect(options.secret).toBeTruthy();
	});

	// threats 20 and 72
	it("decrypt in their own tenant, under their own name and in their own column only", async () => {
		const server = await startOpenIdServer(() => ({ sub: "1", email: "ada@corp.example" }));
		const world = await ssoWorld([server.issuer]);
		const { a, b, database } = world;
		await world.registered(a, registration(server.issuer, "okta"));
		await world.registered(b, registration(server.issuer, "okta"));
		expect((await world.begin(b)).answer.status).toBe(200);
		await database.query(
			`update "ssoProvider" set "oidcConfig" = (select "oidcConfig" from "ssoProvider" where "tenantId" = '${a}') where "tenantId" = '${b}'`,
		);
		expect((await world.begin(b)).answer.status).toBe(400);
		expect((await world.begin(a)).answer.status).toBe(200);
		expect(world.logs.join("\n")).toContain(`SSO provider okta of tenant ${b} cannot be decrypted`);
		// renamed, and in clear text as the platform stores them
		await database.query(`update "ssoProvider" set "providerId" = 'renamed' where "tenantId" = '${a}'`);
		expect((await world.begin(a, { providerId: "renamed" })).answer.status).toBe(400);
		const clear = JSON.stringify({ ...registration(server.issuer, "x").oidcConfig, issuer: server.issuer });
		await database.query(`update "ssoProvider" set "oidcConfig" = '${clear}'`);
		expect((await world.begin(b)).answer.status).toBe(400);
	});

	// threat 72
	it("sign users in after a secret update", async () => {
		const server = await startOpenIdServer(() => ({ sub: "1", email: "ada@corp.example" }));
		const world = await ssoWorld([server.issuer]);
		const { a } = world;
		server.allow((await world.registered(a, registration(server.issuer, "okta"))).redirectURI);
		const body = { providerId: "okta", oidcConfig: { clientSecret: "another" } };
		await world.ok("/sso/update-provider", { tenant: a, operator: true, body });
		const { browser, url } = await world.begin(a);
		expect((await world.call(await server.visit(url.href), { browser })).location).toBe("/home");
		expect(await world.whoami(browser)).toMatchObject({ tenantId: a });
	});
});

describe("sign-in by email domain", () => {
	// threat 73
	it("uses a provider only after its domain was verified", async () => {
		const server = await startOpenIdServer(() => ({ sub: "1", email: "ada@corp.example" }));
		const world = await ssoWorld([server.issuer], { options: { domainVerification: { enabled: true } } });
		const { a, b } = world;
		// an unverified provider with the same domain that comes first does not block it
		await world.registered(a, registration(server.issuer, "aaa"));
		await world.registered(a, registration(server.issuer, "okta"));
		await world.registered(b, registration(server.issuer, "okta"));
		const byDomain = [{ email: "ada@corp.example" }, { domain: "corp.example" }, { email: "ada@sub.corp.example" }];
		for (const body of byDomain) expect((await world.begin(a, body)).answer.status).toBe(404);
		await world.verifyDomain(a, "okta");
		for (const body of byDomain) {
			const { answer, url } = await world.begin(a, body);
			expect([body, answer.status]).toEqual([body, 200]);
			expect(url.searchParams.get("redirect_uri")).toContain(`/tenants/${a}/sso/callback/okta`);
			expect((await world.begin(b, body)).answer.status).toBe(404);
		}
	});

	// threat 73
	it("is rejected if domains are not verified at all", async () => {
		const world = await ssoWorld([ISSUER]);
		await world.registered(world.a, registration(ISSUER, "okta"));
		const { answer } = await world.begin(world.a, { email: "ada@corp.example" });
		expect([answer.status, answer.code]).toEqual([400, "SSO_DOMAIN_ROUTING_DISABLED"]);
		expect((await world.begin(world.a, { providerId: "okta", email: "ada@corp.example" })).answer.status).toBe(200);
	});
});

describe("startup", () => {
	// threats 69 and 70
	it.each([
		["redirectURI", { redirectURI: "/sso/callback" }],
		["saml.enableInResponseToValidation", { saml: { enableInResponseToValidation: false } }],
	])("rejects sso({ %s }), which all tenants would share", async (option, options) => {
		const starting = createWorld({ allPlugins: withTenants({}, [sso(options)]) });
		await expect(starting).rejects.toThrow(`\`${option}\` of the sso plugin`);
	});
});
