import assert from "node:assert/strict";
import { type Checks, check } from "../check.ts";
import { configShape, ok, refused } from "../expect.ts";
import {
	askRegister,
	createTenant,
	deleteConfig,
	getTenant,
	listConfigs,
	newCredentials,
	onlyConfig,
	type Place,
	registerConfig,
	type Tenant,
	twoTenants,
} from "../place.ts";
import { callbackOf, redirectURIOf } from "../social.ts";

/** All responses that could contain a config, for a tenant that has one. */
const everyView = async (place: Place, tenant: Tenant, providerId: string) => [
	await place.operator.get("/tenant/oauth-config/list", { query: { tenantId: tenant.id } }),
	await getTenant(place, { id: tenant.id }),
	await place.operator.get("/tenant/list"),
	await place.operator.post("/tenant/update", { body: { tenantId: tenant.id, name: "Seen" } }),
	await place.visitor().post("/tenant/sign-in/social", { body: { tenantId: tenant.id, provider: providerId } }),
	await deleteConfig(place, tenant, providerId),
];

export const oauthConfigChecks = {
	"O-2": check("registers one provider for two tenants and lists each tenant's own", async ({ standard }) => {
		for (const tenant of await twoTenants(standard)) {
			const { clientId } = await registerConfig(standard, tenant);
			const config = await onlyConfig(standard, tenant);
			assert.deepEqual([config.tenantId, config.clientId], [tenant.id, clientId]);
		}
	}),
	"O-3": check("registers three built-in providers and reads their ids", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		for (const providerId of ["github", "google", "discord"]) await registerConfig(standard, tenant, { providerId });
		const ids = (await listConfigs(standard, tenant)).map((config) => config.providerId);
		assert.deepEqual(ids.sort(), ["discord", "github", "google"]);
		assert.deepEqual(await listConfigs(standard, neighbor), []);
	}),
	"O-5": check("reads the plain client id from the list", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const { clientId } = await registerConfig(standard, tenant);
		assert.equal((await onlyConfig(standard, tenant)).clientId, clientId);
	}),
	// threat 54
	"O-7": check("searches every response about a config for its secret", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const { answer, clientSecret } = await registerConfig(standard, tenant);
		for (const view of [answer, ...(await everyView(standard, tenant, "github"))]) {
			assert.ok(!view.text.includes(clientSecret), view.request);
			assert.doesNotMatch(view.text, /client_?secret/i, view.request);
		}
	}),
	"O-8": check(
		"registers with and without scopes, and with a value that is not a list of strings",
		async ({ standard }) => {
			const [tenant, neighbor] = await twoTenants(standard);
			const scopes = ["repo", "read:org"];
			await registerConfig(standard, tenant, { scopes });
			assert.deepEqual((await onlyConfig(standard, tenant)).scopes, scopes);
			await registerConfig(standard, neighbor);
			for (const bad of ["repo", [1], { scope: "repo" }])
				refused(await askRegister(standard, tenant, { providerId: "github", ...newCredentials(), scopes: bad }));
		},
	),
	"O-9": check("starts sign-ins with and without a redirect URI in the config", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const redirectURI = `${standard.origin}/own/callback`;
		await registerConfig(standard, tenant, { redirectURI });
		await registerConfig(standard, neighbor);
		assert.equal((await onlyConfig(standard, tenant)).redirectURI, redirectURI);
		assert.equal(await redirectURIOf(standard, tenant), redirectURI);
		assert.equal(await redirectURIOf(standard, neighbor), callbackOf(standard, "github"));
	}),
	"O-10": check("registers with enabled true, false and absent", async ({ standard }) => {
		const tenant = await createTenant(standard);
		for (const [enabled, expected] of [
			[false, false],
			[undefined, true],
			[true, true],
		] as const) {
			const owner = expected === enabled ? tenant : await createTenant(standard);
			await registerConfig(standard, owner, { enabled });
			assert.equal((await onlyConfig(standard, owner)).enabled, expected);
		}
	}),
	"O-11": check("registers one pair eight times at once and counts the configs", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		await Promise.all(Array.from({ length: 8 }, () => registerConfig(standard, tenant)));
		await onlyConfig(standard, tenant);
		assert.deepEqual(await listConfigs(standard, neighbor), []);
	}),
	"O-12": check("registers a pair again and reads the new values; another tenant's are kept", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		await registerConfig(standard, tenant, { scopes: ["repo"] });
		const other = await registerConfig(standard, neighbor);
		const { clientId } = await registerConfig(standard, tenant, { scopes: ["gist"], enabled: false });
		const { scopes, enabled, ...config } = await onlyConfig(standard, tenant);
		assert.deepEqual([config.clientId, scopes, enabled], [clientId, ["gist"], false]);
		assert.equal((await onlyConfig(standard, neighbor)).clientId, other.clientId);
	}),
	"L-3": check("compares a registration without enabled with one that sets it to true", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const silent = await registerConfig(standard, tenant);
		const explicit = await registerConfig(standard, neighbor, { enabled: true });
		assert.equal(ok(silent.answer, configShape).enabled, true);
		assert.equal(silent.config.enabled, explicit.config.enabled);
	}),
} satisfies Checks;
