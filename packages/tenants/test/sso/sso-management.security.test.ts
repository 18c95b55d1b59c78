import { type SSOOptions, sso } from "@better-auth/sso";
import { organization } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { managedWorld } from "./support/managed-world.ts";
import { registration, startOpenIdServer } from "./support/openid-server.ts";
import { ssoWorld } from "./support/sso-world.ts";

const ISSUER = "http://127.0.0.1:9";

describe("identity providers of a tenant", () => {
	// threat 72
	it("are listed and deleted with a management key, including an organization's", async () => {
		const { a, call, signUp } = await managedWorld([sso(), organization()], { trustedOrigins: [ISSUER] });
		const browser = await signUp(a, "admin@acme.example");
		const made = await call("/organization/create", { browser, body: { name: "O", slug: "o" } });
		const body = { ...registration(ISSUER, "okta"), organizationId: made.json.id };
		expect((await call("/sso/register", { browser, body })).status).toBe(200);
		const listed = [
			(await call("/sso/providers", { browser })).json.providers.length,
			(await call("/sso/providers", { tenant: a, operator: true })).json.providers.length,
		];
		const provider = { providerId: "okta" };
		const deleted = await call("/sso/delete-provider", { tenant: a, operator: true, body: provider });
		expect([listed, deleted.status]).toEqual([[1, 1], 200]);
	});

	// threat 72: the guard runs before the endpoint, on a context that sets no cookies yet
	it.each([
		["is extended", { updateAge: 0 }],
		["is also kept in the cookie cache", { cookieCache: { enabled: true, maxAge: 300 } }],
	])("are managed by a session that %s", async (_, session) => {
		const { a, call, signUp } = await managedWorld([sso()], { trustedOrigins: [ISSUER], session });
		const [admin, member] = [await signUp(a, "admin@acme.example"), await signUp(a, "member@acme.example")];
		const body = registration(ISSUER, "okta");
		const statuses = [
			(await call("/sso/register", { browser: member, body })).status,
			(await call("/sso/register", { browser: admin, body })).status,
		];
		expect(statuses).toEqual([403, 200]);
	});

	// threat 73: the engine falls back to the email's domain if the slug names no organization
	it.each([
		["are not verified at all", {}, 400],
		["are verified, and this one is not", { domainVerification: { enabled: true } }, 404],
	])("are not found by email domain with an unknown organization, if domains %s", async (_, given, status) => {
		const options: SSOOptions = given;
		const { a, call } = await managedWorld([sso(options), organization()], { trustedOrigins: [ISSUER] });
		await call("/sso/register", { tenant: a, operator: true, body: registration(ISSUER, "okta") });
		const body = { organizationSlug: "nobody", email: "ada@corp.example", callbackURL: "/" };
		expect((await call("/sign-in/sso", { tenant: a, body })).status).toBe(status);
	});
});

describe("a user that the application resolves", () => {
	// threat 71: the engine compares the account that it updates with the requested one
	it("signs in more than once", async () => {
		const server = await startOpenIdServer(() => ({ sub: "ada", email: "ada@corp.example" }));
		const options: SSOOptions = { resolveUser: async () => ({ action: "continue" }) };
		const world = await ssoWorld([server.issuer], { options });
		server.allow((await world.registered(world.a, registration(server.issuer, "okta"))).redirectURI);
		const locations: (string | null)[] = [];
		for (let at = 0; at < 2; at++) {
			const { browser, url } = await world.begin(world.a);
			locations.push((await world.call(await server.visit(url.href), { browser })).location);
		}
		expect(locations).toEqual(["/home", "/home"]);
	});
});
