import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { ok, redirection, refused } from "../expect.ts";
import type { Browser } from "../http.ts";
import { newMember, newPerson, type Place, registerConfig, sessionOf, type Tenant, twoTenants } from "../place.ts";
import { PLAYED, registerPlayed, UNCONFIGURED } from "../social.ts";

const IDENTITY = { sub: "tester", email: "tester@provider.example", emailVerified: true, name: "Tester" };

const askTest = (browser: Browser, place: Place, tenant: Tenant, providerId: string = PLAYED) =>
	browser.post("/tenant/oauth-config/test", {
		body: { tenantId: tenant.id, providerId, callbackURL: `${place.origin}/settings?tab=oauth` },
	});

const urlOf = async (browser: Browser, place: Place, tenant: Tenant) =>
	ok(await askTest(browser, place, tenant), z.looseObject({ url: z.url() })).url;

/** The result that a callback leads to, by its parameters. */
const resultAt = async (browser: Browser, place: Place, callback: string) => {
	const { pathname, searchParams } = redirection(await browser.visit(callback), place.base);
	return [pathname, Object.fromEntries(searchParams)];
};

const resultOf = (result: Record<string, string>) => ["/settings", { tab: "oauth", ...result }];

export const oauthConfigTestChecks = {
	// threat 131
	"OC-11": check("tests the configs of two tenants at a provider, and calls it without authority", async (world) => {
		const { standard } = world;
		const idp = world.identityProvider();
		for (const tenant of await twoTenants(standard)) {
			const { clientId, callbackURL } = await registerPlayed(world, standard, tenant);
			const browser = standard.newOperator();
			const url = await urlOf(browser, standard, tenant);
			const asked = new URL(url).searchParams;
			assert.deepEqual([asked.get("client_id"), asked.get("redirect_uri")], [clientId, callbackURL]);
			const arrival = await idp.authorize(url, IDENTITY);
			assert.deepEqual(await resultAt(browser, standard, arrival), resultOf({ "oauth-test": "ok" }));
			assert.equal(idp.tokenRequests.filter((request) => request.clientId === clientId).length, 1);
			assert.equal(await sessionOf(browser), null);
			// nobody has the address yet
			await newMember(standard, tenant, { ...newPerson(), email: IDENTITY.email });
			refused(await askTest(standard.visitor(), standard, tenant), 401, "TENANT_MANAGEMENT_UNAUTHORIZED");
		}
	}),
	// threat 132
	"OC-12": check("tests a wrong secret, a refusal, a changed config and a provider without one", async (world) => {
		const { standard } = world;
		const idp = world.identityProvider();
		const [tenant, neighbor] = await twoTenants(standard);
		const failing = async (arrive: (url: string) => Promise<string>) => {
			const { clientId, callbackURL } = await registerPlayed(world, standard, tenant);
			const browser = standard.newOperator();
			const arrival = await arrive(await urlOf(browser, standard, tenant));
			assert.ok(arrival.startsWith(callbackURL), clientId);
			return resultAt(browser, standard, arrival);
		};
		const failed = (error: string) => resultOf({ "oauth-test": "failed", error });
		const wrongSecret = await failing(async (url) => {
			const asked = new URL(url).searchParams;
			const redirectURIs = [asked.get("redirect_uri") ?? ""];
			idp.addClient({ clientId: asked.get("client_id") ?? "", clientSecret: "another", redirectURIs });
			return idp.authorize(url, IDENTITY);
		});
		assert.deepEqual(wrongSecret, failed("invalid_client"));
		const refusedBy = await failing(async (url) => {
			const asked = new URL(url).searchParams;
			const sent = new URLSearchParams({ state: asked.get("state") ?? "", error: "access_denied" });
			return `${asked.get("redirect_uri")}?${sent}`;
		});
		assert.deepEqual(refusedBy, failed("access_denied"));
		const changed = await failing(async (url) => {
			const arrival = await idp.authorize(url, IDENTITY);
			await registerPlayed(world, standard, tenant);
			return arrival;
		});
		assert.deepEqual(changed, failed("config_changed"));
		await registerConfig(standard, neighbor, { providerId: UNCONFIGURED });
		for (const [owner, providerId] of [
			[tenant, UNCONFIGURED],
			[neighbor, PLAYED],
		] as const)
			refused(await askTest(standard.newOperator(), standard, owner, providerId), 404, "OAUTH_CONFIG_NOT_FOUND");
	}),
} satisfies Checks;
