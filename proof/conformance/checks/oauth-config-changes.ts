import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { configShape, ok, redirection, refused } from "../expect.ts";
import {
	askRegister,
	deleteConfig,
	listConfigs,
	newCredentials,
	onlyConfig,
	type Place,
	registerConfig,
	sessionOf,
	type Tenant,
	twoTenants,
} from "../place.ts";
import { askSocial, startSocial, UNCONFIGURED } from "../social.ts";

const ISSUER = "https://git-for-conformance.example.com";

/** Everything of a config that may be omitted. */
const chosenFor = (place: Place) => ({
	providerId: "gitlab",
	scopes: ["api"],
	redirectURI: `${place.origin}/own/callback`,
	options: { issuer: ISSUER },
});

/** The provider's URL that a sign-in with the tenant's GitLab starts at. */
const startedAt = (place: Place, tenant: Tenant) => startSocial(place, place.visitor(), tenant, { provider: "gitlab" });

const asksFor = (url: URL, scope: string) => (url.searchParams.get("scope") ?? "").split(/[ ,]/).includes(scope);

/** A config that may be unreadable. */
const listedShape = z.looseObject({ providerId: z.string(), clientId: z.string().nullable(), readable: z.boolean() });

export const oauthConfigChangeChecks = {
	"OC-1": check("registers only a new client and reads scopes, redirect URI and server of a sign-in", async (world) => {
		const { standard } = world;
		const [tenant, neighbor] = await twoTenants(standard);
		const chosen = chosenFor(standard);
		for (const owner of [tenant, neighbor]) await registerConfig(standard, owner, chosen);
		const { clientId, config } = await registerConfig(standard, tenant, { providerId: "gitlab" });
		assert.deepEqual([config.scopes, config.redirectURI], [chosen.scopes, chosen.redirectURI]);
		const url = await startedAt(standard, tenant);
		assert.deepEqual([url.origin, url.searchParams.get("client_id")], [ISSUER, clientId]);
		assert.ok(asksFor(url, "api"));
		assert.notEqual((await onlyConfig(standard, neighbor)).clientId, clientId);
	}),
	"OC-2": check("registers null for scopes, redirect URI and options; another tenant's are kept", async (world) => {
		const { standard } = world;
		const [tenant, neighbor] = await twoTenants(standard);
		const chosen = chosenFor(standard);
		for (const owner of [tenant, neighbor]) await registerConfig(standard, owner, chosen);
		const nothing = { providerId: "gitlab", scopes: null, redirectURI: null, options: null };
		const { config } = await registerConfig(standard, tenant, nothing);
		assert.deepEqual([config.scopes, config.redirectURI], [null, null]);
		const url = await startedAt(standard, tenant);
		assert.equal(url.origin, "https://gitlab.com");
		assert.notEqual(url.searchParams.get("redirect_uri"), chosen.redirectURI);
		assert.ok(!asksFor(url, "api"));
		assert.equal((await startedAt(standard, neighbor)).origin, ISSUER);
	}),
	"OC-3": check("rotates the secret of a disabled config and looks for it in a sign-in", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const disabled = { providerId: UNCONFIGURED, enabled: false };
		await registerConfig(standard, tenant, disabled);
		const { config } = await registerConfig(standard, tenant, disabled);
		assert.equal(config.enabled, false);
		refused(await askSocial(standard.visitor(), tenant, { provider: UNCONFIGURED }), 404, "PROVIDER_NOT_FOUND");
	}),
	"OC-4": check("registers what the list returned, with and without values", async ({ standard }) => {
		for (const [tenant, fields] of (await twoTenants(standard)).map(
			(owner, at) => [owner, at === 0 ? {} : chosenFor(standard)] as const,
		)) {
			await registerConfig(standard, tenant, fields);
			const listed = await onlyConfig(standard, tenant);
			const { clientSecret } = newCredentials();
			const answer = await askRegister(standard, tenant, { ...listed, clientSecret });
			const unchanged = { updatedAt: ok(answer, configShape).updatedAt };
			assert.deepEqual(answer.json, { ...listed, ...unchanged });
		}
	}),
	// threat 27
	"OC-5": check(
		"changes, disables and deletes configs during sign-ins, and returns at other providers",
		async (world) => {
			const { standard } = world;
			const [tenant, neighbor] = await twoTenants(standard);
			const endings: Record<string, { act?: () => Promise<unknown>; path?: string }> = {
				"a new secret": { act: () => registerConfig(standard, tenant) },
				disabled: { act: () => registerConfig(standard, tenant, { enabled: false }) },
				deleted: { act: () => deleteConfig(standard, tenant, "github") },
				"another provider": { path: "/tenant/callback/discord" },
				"an unknown provider": { path: "/tenant/callback/nowhere" },
				"another tenant's callback": { path: `/tenant/callback/github/${neighbor.id}` },
			};
			for (const [name, { act, path = "/tenant/callback/github" }] of Object.entries(endings)) {
				await registerConfig(standard, tenant);
				const browser = standard.visitor();
				const errorCallbackURL = `${standard.origin}/failed?from=${encodeURIComponent(name)}`;
				const started = await startSocial(standard, browser, tenant, { errorCallbackURL });
				await act?.();
				const query = { state: started.searchParams.get("state") ?? "", code: "c" };
				const ended = redirection(await browser.get(path, { query }), standard.base);
				assert.deepEqual([ended.pathname, ended.searchParams.get("from")], ["/failed", name]);
				assert.equal(ended.searchParams.get("error"), "state_mismatch");
				assert.equal(await sessionOf(browser), null);
				// the state is used up
				const again = redirection(await browser.get("/tenant/callback/github", { query }), standard.base);
				assert.notEqual(again.pathname, "/failed");
			}
		},
	),
	// threat 56
	"OC-6": check("lists a config that a server with another secret stored, and registers it again", async (world) => {
		const { standard } = world;
		const other = world.at("otherSecret");
		const [tenant, neighbor] = await twoTenants(standard);
		const { clientId } = await registerConfig(standard, tenant);
		await registerConfig(standard, neighbor);
		await registerConfig(other, tenant, { providerId: "discord" });
		const list = async () =>
			ok(
				await standard.operator.get("/tenant/oauth-config/list", { query: { tenantId: tenant.id } }),
				listedShape.array(),
			).map((config) => [config.providerId, config.clientId, config.readable]);
		assert.deepEqual((await list()).sort(), [
			["discord", null, false],
			["github", clientId, true],
		]);
		const again = await registerConfig(standard, tenant, { providerId: "discord" });
		assert.deepEqual((await list()).sort()[0], ["discord", again.clientId, true]);
		assert.equal((await listConfigs(standard, neighbor)).length, 1);
	}),
} satisfies Checks;
