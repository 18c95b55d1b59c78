import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { registration, startOpenIdServer, startRelay } from "./support/openid-server.ts";
import { ssoWorld } from "./support/sso-world.ts";

const ISSUER = "http://127.0.0.1:9";

describe("a tenant's SSO address", () => {
	// threat 69: a handler inside runWithTenant uses the given tenant, not the one in the address
	it.each(["another tenant's", "the platform's"])(
		"is not served for the tenant of runWithTenant if it is %s: the code would go to its server",
		async (whose) => {
			const honest = await startOpenIdServer(() => ({ sub: "ada", email: "ada@victim.example" }));
			let target = "";
			const evil = await startRelay(
				(state) => `${honest.issuer}/authorize?${new URLSearchParams({ redirect_uri: target, state })}`,
			);
			const world = await ssoWorld([honest.issuer, evil.issuer]);
			const { redirectURI } = await world.registered(world.a, registration(honest.issuer, "okta"));
			target = whose === "the platform's" ? `${ORIGIN}/api/auth/sso/callback/okta` : redirectURI;
			honest.allow(target);
			await world.registered(world.b, registration(evil.issuer, "okta"));
			const { browser, url } = await world.begin(world.b);
			const back = new URL(await honest.visit(await honest.visit(url.href)));
			// most identity providers do not send it
			back.searchParams.delete("iss");
			await runWithTenant(world.b, () => world.call(back.href, { browser }));
			expect(evil.stolen).toEqual([]);
		},
	);

	// threat 66
	it("is closed by disabledPaths, like Better Auth's own", async () => {
		const disabledPaths = ["/sso/saml2/sp/metadata", "/sso/callback/okta"];
		const world = await ssoWorld([ISSUER], { engine: { disabledPaths } });
		await world.registered(world.a, registration(ISSUER, "okta"));
		for (const path of disabledPaths) {
			const query = { providerId: "okta", code: "code", state: "state" };
			const statuses = [
				(await world.call(path, { tenant: world.a, query })).status,
				(await world.call(`/tenants/${world.a}${path}`, { query })).status,
			];
			expect([path, statuses]).toEqual([path, [404, 404]]);
		}
	});

	// threat 62
	it("is limited by the application's rules for Better Auth's address", async () => {
		const world = await ssoWorld([], {
			engine: {
				rateLimit: { enabled: true, storage: "memory", customRules: { "/sso/callback/*": { window: 60, max: 2 } } },
				advanced: { disableOriginCheck: false, ipAddress: { ipAddressHeaders: ["x-address"] } },
			},
		});
		const ask = async (path: string, address: string) => {
			const statuses: number[] = [];
			for (let at = 0; at < 3; at++) {
				const query = { code: "code", state: "state" };
				statuses.push((await world.call(path, { headers: { "x-address": address }, query })).status);
			}
			return statuses;
		};
		expect(await ask("/sso/callback/okta", "192.0.2.1")).toEqual([302, 302, 429]);
		expect(await ask(`/tenants/${world.a}/sso/callback/okta`, "192.0.2.2")).toEqual([302, 302, 429]);
	});

	// threat 70
	it.each(["/.//evil.example", "/x/..//evil.example"])(
		"redirects to no other site by the relay state %s",
		async (to) => {
			const world = await ssoWorld([], { options: { saml: { enableSingleLogout: true } } });
			for (const path of [`/tenants/${world.a}/sso/saml2/sp/slo/any`, "/sso/saml2/sp/slo/any"]) {
				const { location } = await world.call(path, { query: { RelayState: to } });
				const host = location === null ? null : new URL(location, ORIGIN).host;
				expect([path, host]).not.toEqual([path, "evil.example"]);
			}
		},
	);

	// threat 70
	it("redirects to no other site by a callback URL in a tenant's settings", async () => {
		const world = await ssoWorld([]);
		const samlConfig = {
			entryPoint: "https://idp.example/sso",
			cert: "AAAA",
			idpMetadata: { entityID: "https://idp.example" },
			callbackUrl: "/.//evil.example",
		};
		const body = { providerId: "adfs", issuer: "https://sp.example", domain: "corp.example", samlConfig };
		await world.register(world.a, body);
		const answer = await world.call(`/tenants/${world.a}/sso/saml2/sp/acs/adfs`, {
			method: "POST",
			headers: { "content-type": "application/x-www-form-urlencoded", origin: "https://evil.example" },
			body: "SAMLResponse=AAAA",
		});
		expect(answer.location && new URL(answer.location, ORIGIN).host).not.toBe("evil.example");
	});
});
