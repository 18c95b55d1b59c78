import assert from "node:assert/strict";
import { type Checks, check, deviates } from "../check.ts";
import { notStrings, refused } from "../expect.ts";
import {
	askRegister,
	deleteConfig,
	getTenant,
	listConfigs,
	newCredentials,
	onlyConfig,
	registerConfig,
	type Tenant,
	twoTenants,
} from "../place.ts";
import { redirectURIOf, startSocial } from "../social.ts";

export const oauthConfigEndpointChecks = {
	"C-2": check("registers without a provider and with values that are not strings", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		for (const providerId of notStrings)
			refused(await askRegister(standard, tenant, { providerId, ...newCredentials() }));
		assert.deepEqual(await listConfigs(standard, tenant), []);
	}),
	"C-3": deviates(
		"registers a provider that is not built in, and one that cannot work with id and secret alone",
		"Amazon Cognito is built in, but an id and a secret name no user pool: without `options` the registration is a 400 that says which are missing. So a config that is stored can sign users in.",
		async ({ standard }) => {
			const [tenant, neighbor] = await twoTenants(standard);
			refused(await askRegister(standard, tenant, { providerId: "our-own-idp", ...newCredentials() }));
			refused(await askRegister(standard, tenant, { providerId: "GitHub", ...newCredentials() }));
			const cognito = { providerId: "cognito", ...newCredentials() };
			refused(await askRegister(standard, tenant, cognito), 400, "INVALID_PROVIDER_OPTIONS");
			await registerConfig(standard, tenant, { providerId: "github" });
			assert.equal((await onlyConfig(standard, tenant)).providerId, "github");
			const options = { domain: "acme.auth.eu-central-1.amazoncognito.com", region: "eu-central-1" };
			const userPoolId = "eu-central-1_AbCdEfGhI";
			await registerConfig(standard, neighbor, { ...cognito, options: { ...options, userPoolId } });
		},
	),
	"C-4": check("registers without a client id and with values that are not strings", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		for (const clientId of notStrings)
			refused(await askRegister(standard, tenant, { providerId: "github", ...newCredentials(), clientId }));
		assert.deepEqual(await listConfigs(standard, tenant), []);
	}),
	"C-5": check("registers without a client secret and with values that are not strings", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		for (const clientSecret of notStrings)
			refused(await askRegister(standard, tenant, { providerId: "github", ...newCredentials(), clientSecret }));
		assert.deepEqual(await listConfigs(standard, tenant), []);
	}),
	"C-6": check(
		"finds the scopes of a config in the provider's URL, and none of another tenant's",
		async ({ standard }) => {
			const [tenant, neighbor] = await twoTenants(standard);
			await registerConfig(standard, tenant, { scopes: ["gist"] });
			await registerConfig(standard, neighbor);
			const scopeOf = async (owner: Tenant) =>
				(await startSocial(standard, standard.visitor(), owner)).searchParams.get("scope")?.split(/[ ,]/) ?? [];
			assert.ok((await scopeOf(tenant)).includes("gist"));
			assert.ok(!(await scopeOf(neighbor)).includes("gist"));
		},
	),
	"C-7": deviates(
		"registers a redirect URI and finds it in the provider's URL, and one that is not in trustedOrigins",
		"A redirect URI must be on an origin in `trustedOrigins`. The provider sends the code there, which signs a user in.",
		async ({ standard }) => {
			const [tenant, neighbor] = await twoTenants(standard);
			const redirectURI = `${standard.origin}/login/github/done`;
			const { config } = await registerConfig(standard, tenant, { redirectURI });
			assert.equal(config.redirectURI, redirectURI);
			assert.equal(await redirectURIOf(standard, tenant), redirectURI);
			refused(await askRegister(standard, tenant, { providerId: "github", ...newCredentials(), redirectURI: 7 }));
			const elsewhere = { providerId: "github", redirectURI: "https://login.example.com/done", ...newCredentials() };
			refused(await askRegister(standard, neighbor, elsewhere), 400, "INVALID_REDIRECT_URI");
			assert.deepEqual(await listConfigs(standard, neighbor), []);
		},
	),
	"C-8": check(
		"registers with enabled true and false, and with a value that is not a boolean",
		async ({ standard }) => {
			const [tenant] = await twoTenants(standard);
			for (const enabled of [true, false]) {
				await registerConfig(standard, tenant, { enabled });
				assert.equal((await onlyConfig(standard, tenant)).enabled, enabled);
			}
			refused(await askRegister(standard, tenant, { providerId: "github", ...newCredentials(), enabled: "maybe" }));
		},
	),
	"C-9": check("registers without enabled and signs in with the config at once", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const { clientId } = await registerConfig(standard, tenant);
		const url = await startSocial(standard, standard.visitor(), tenant);
		assert.equal(url.searchParams.get("client_id"), clientId);
	}),
	"C-10": check("reads the response of a registration", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const { answer, config, clientId, clientSecret } = await registerConfig(standard, tenant);
		assert.deepEqual([config.tenantId, config.providerId, config.clientId], [tenant.id, "github", clientId]);
		assert.ok(!answer.text.includes(clientSecret));
		assert.ok(!("clientSecret" in config));
	}),
	"C-11": check("registers for a tenant that has no config", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		assert.deepEqual(await listConfigs(standard, tenant), []);
		const { clientId } = await registerConfig(standard, tenant);
		assert.equal((await onlyConfig(standard, tenant)).clientId, clientId);
	}),
	"C-12": check("registers again and signs in with the new credentials", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		await registerConfig(standard, tenant);
		const { clientId } = await registerConfig(standard, tenant);
		const url = await startSocial(standard, standard.visitor(), tenant);
		assert.equal(url.searchParams.get("client_id"), clientId);
		await onlyConfig(standard, tenant);
	}),
	"C-14": check(
		"lists two configs as the registrations returned them, and none of another tenant's",
		async ({ standard }) => {
			const [tenant, neighbor] = await twoTenants(standard);
			const github = await registerConfig(standard, tenant);
			const discord = await registerConfig(standard, tenant, { providerId: "discord" });
			await registerConfig(standard, neighbor);
			const listed = await listConfigs(standard, tenant);
			listed.sort((a, b) => b.providerId.localeCompare(a.providerId));
			assert.deepEqual(listed, [github.config, discord.config]);
		},
	),
	"C-15": check("searches the list for the secrets of two configs", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const secrets = [];
		for (const providerId of ["github", "discord"])
			secrets.push((await registerConfig(standard, tenant, { providerId })).clientSecret);
		const { text } = await standard.operator.get("/tenant/oauth-config/list", { query: { tenantId: tenant.id } });
		for (const secret of secrets) assert.ok(!text.includes(secret));
		assert.doesNotMatch(text, /secret/i);
	}),
	"C-16": check("reads the plain client ids of two configs from the list", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const ids = [];
		for (const providerId of ["github", "discord"])
			ids.push((await registerConfig(standard, tenant, { providerId })).clientId);
		assert.deepEqual((await listConfigs(standard, tenant)).map((config) => config.clientId).sort(), ids.sort());
	}),
	"C-18": check("deletes without a provider and with values that are not strings", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		await registerConfig(standard, tenant);
		for (const providerId of notStrings)
			refused(
				await standard.operator.post("/tenant/oauth-config/delete", { body: { tenantId: tenant.id, providerId } }),
			);
		await onlyConfig(standard, tenant);
	}),
	"C-19": check("deletes one of two configs and keeps another tenant's", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		await registerConfig(standard, tenant);
		await registerConfig(standard, tenant, { providerId: "discord" });
		await registerConfig(standard, neighbor);
		const answer = await deleteConfig(standard, tenant, "github");
		assert.equal(answer.status, 200);
		assert.deepEqual(answer.json, { success: true });
		assert.equal((await onlyConfig(standard, tenant)).providerId, "discord");
		await onlyConfig(standard, neighbor);
	}),
	"A-6": check("searches every list and get response for a registered secret", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const { clientSecret } = await registerConfig(standard, tenant);
		const query = { tenantId: tenant.id };
		const views = [
			await standard.operator.get("/tenant/oauth-config/list", { query }),
			await standard.operator.get("/tenant/list"),
			await getTenant(standard, { id: tenant.id }),
			await getTenant(standard, { slug: tenant.slug }),
		];
		for (const view of views) assert.ok(view.status === 200 && !view.text.includes(clientSecret), view.request);
	}),
} satisfies Checks;
