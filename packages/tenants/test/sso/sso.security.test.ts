import { describe, expect, it } from "vitest";
import { registration, startOpenIdServer } from "./support/openid-server.ts";
import { callbackOf, ssoWorld } from "./support/sso-world.ts";

describe.each(["sqlite", "postgres", "mysql"] as const)("single sign-on on %s", (database) => {
	// threats 5, 12 and 65
	it("signs in to the tenant that registered the provider, by name or domain, and to no other", async () => {
		const server = await startOpenIdServer(() => ({ sub: "ada", email: "ada@corp.example", name: "Ada" }));
		const world = await ssoWorld([server.issuer], { database, options: { domainVerification: { enabled: true } } });
		const { a, b, call } = world;
		const ways = [{ providerId: "okta" }, { email: "ada@corp.example" }];
		const register = async (tenant: string) => {
			server.allow((await world.registered(tenant, registration(server.issuer, "okta"))).redirectURI);
			await world.verifyDomain(tenant, "okta");
		};
		await register(a);
		// the other tenant has neither the name nor the domain, and may take both
		for (const body of ways) expect((await world.begin(b, body)).answer.status).toBe(404);
		await register(b);

		for (const tenant of [a, b]) {
			for (const body of ways) {
				const { browser, url } = await world.begin(tenant, body);
				const back = await server.visit(url.href);
				const misled = await call(back.replace(callbackOf(tenant), callbackOf(tenant === a ? b : a)), {
					browser: browser.copy(),
				});
				expect(misled.headers.getSetCookie().join()).not.toContain("session_token");
				const done = await call(back, { browser });
				expect([body, done.location]).toEqual([body, "/home"]);
				expect(await world.whoami(browser)).toMatchObject({ tenantId: tenant, email: "ada@corp.example" });
				expect((await call(back, { browser: browser.copy() })).location).not.toBe("/home");
			}
		}
		expect(await world.count("user")).toBe(2);
		const body = { providerId: "okta" };
		await world.ok("/sso/delete-provider", { tenant: b, operator: true, body });
		expect([await world.providersOf(a), await world.providersOf(b)]).toEqual([["okta"], []]);
		// with its accounts, which belong to the tenant
		expect(await world.count("account")).toBe(1);
	});
});
