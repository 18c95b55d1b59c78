import assert from "node:assert/strict";
import { type Check, type Checks, check } from "../check.ts";
import { refused } from "../expect.ts";
import type { Ask, Browser } from "../http.ts";
import {
	createTenant,
	getTenant,
	listConfigs,
	newCredentials,
	newMember,
	newSlug,
	type Place,
	registerConfig,
	type Tenant,
	twoTenants,
} from "../place.ts";

/** Every management endpoint, with a request that is allowed for an operator. */
export const managed = {
	create: (by, _tenant) => by.post("/tenant/create", { body: { name: "Made", slug: newSlug() } }),
	get: (by, tenant) => by.get("/tenant/get", { query: { id: tenant.id } }),
	list: (by, _tenant) => by.get("/tenant/list"),
	update: (by, tenant) => by.post("/tenant/update", { body: { tenantId: tenant.id, name: "Taken over" } }),
	delete: (by, tenant) => by.post("/tenant/delete", { body: { tenantId: tenant.id } }),
	register: (by, tenant) => {
		const body = { tenantId: tenant.id, providerId: "discord", ...newCredentials() };
		return by.post("/tenant/oauth-config/register", { body });
	},
	listConfigs: (by, tenant) => by.get("/tenant/oauth-config/list", { query: { tenantId: tenant.id } }),
	deleteConfig: (by, tenant) =>
		by.post("/tenant/oauth-config/delete", { body: { tenantId: tenant.id, providerId: "github" } }),
} satisfies Record<string, (by: Browser, tenant: Tenant, ask?: Ask) => ReturnType<Browser["get"]>>;

export type Managed = keyof typeof managed;

export const wrongKey = () => ({ authorization: `Bearer ${"w".repeat(48)}` });

/** A tenant with a name and one config, to detect changes by an attacker. */
const untouched = async (place: Place, tenant: Tenant) => {
	assert.equal((await getTenant(place, { id: tenant.id })).status, 200);
	assert.ok((await getTenant(place, { id: tenant.id })).text.includes(tenant.name));
	assert.deepEqual(
		(await listConfigs(place, tenant)).map((config) => config.providerId),
		["github"],
	);
};

/** Refused without a credential and with a wrong key, without an effect; allowed for the operator. */
const requiresAuthorization = (endpoint: Managed): Check =>
	check(`calls ${endpoint} without a credential, with a wrong key, then with the key`, async ({ standard }) => {
		const tenant = await createTenant(standard);
		await registerConfig(standard, tenant);
		refused(await managed[endpoint](standard.visitor(), tenant));
		refused(await managed[endpoint](standard.visitor(wrongKey()), tenant));
		await untouched(standard, tenant);
		const granted = await managed[endpoint](standard.operator, tenant);
		assert.equal(granted.status, 200, granted.text);
	});

/** A signed-in user of the tenant is not an operator, neither by cookie nor by token. */
const refusesMembers = (endpoints: Managed[]): Check =>
	check(`calls ${endpoints.join(", ")} with the session of a tenant's user`, async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		for (const owner of [tenant, neighbor]) await registerConfig(standard, owner);
		const { browser } = await newMember(standard, tenant);
		for (const owner of [tenant, neighbor]) {
			for (const endpoint of endpoints) refused(await managed[endpoint](browser, owner));
			await untouched(standard, owner);
		}
	});

export const managementChecks = {
	"M-17": requiresAuthorization("create"),
	"M-18": requiresAuthorization("get"),
	"M-19": requiresAuthorization("list"),
	"M-20": requiresAuthorization("update"),
	"M-21": requiresAuthorization("delete"),
	"C-20": requiresAuthorization("register"),
	"C-21": requiresAuthorization("listConfigs"),
	"C-22": requiresAuthorization("deleteConfig"),
	"A-1": refusesMembers(["create", "get", "list", "update", "delete"]),
	"A-2": refusesMembers(["register", "listConfigs", "deleteConfig"]),
} satisfies Checks;
