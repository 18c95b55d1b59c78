import assert from "node:assert/strict";
import { type Check, type Checks, check, type World } from "../check.ts";
import { configShape, destination, ok, refused, signedInShape } from "../expect.ts";
import type { Ask } from "../http.ts";
import {
	createTenant,
	listConfigs,
	newCredentials,
	newMember,
	newPerson,
	type Place,
	registerConfig,
	sessionOf,
	type Tenant,
	twoTenants,
} from "../place.ts";

/** Where a request may name its tenant. */
type Source = "option" | "body" | "query" | "header";
type Sources = Partial<Record<Source, Tenant>>;

const withSources = (place: Place, sources: Sources, body?: Record<string, unknown>): Ask => ({
	...(body && { body: { ...body, ...(sources.body && { tenantId: sources.body.id }) } }),
	query: { ...(sources.query && { tenantId: sources.query.id }) },
	headers: {
		...(sources.header && { [place.tenantHeader]: sources.header.id }),
		...(sources.option && { "x-conformance-resolve": sources.option.id }),
	},
});

/**
 * An endpoint with an optional tenantId: sends a request that names tenants, and returns the id of the tenant that was
 * used.
 */
type Starred = (place: Place, sources: Sources) => Promise<string | undefined>;

const named = (sources: Sources) => [...new Set(Object.values(sources))];

const starred = {
	"sign-up/email": async (place, sources) => {
		const browser = place.visitor();
		ok(await browser.post("/tenant/sign-up/email", withSources(place, sources, newPerson())), signedInShape);
		return (await sessionOf(browser))?.session.tenantId;
	},
	"sign-in/email": async (place, sources) => {
		const { name: _, ...credentials } = newPerson();
		const ids = new Map<string, string>();
		for (const tenant of named(sources)) {
			const { user } = await newMember(place, tenant, { name: "Namesake", ...credentials });
			ids.set(user.id, tenant.id);
		}
		const answer = await place.visitor().post("/tenant/sign-in/email", withSources(place, sources, credentials));
		return ids.get(ok(answer, signedInShape).user.id);
	},
	"oauth-config/register": async (place, sources) => {
		const body = { providerId: "discord", ...newCredentials() };
		const answer = await place.operator.post("/tenant/oauth-config/register", withSources(place, sources, body));
		const owners = [];
		for (const tenant of named(sources))
			if ((await listConfigs(place, tenant)).some((config) => config.clientId === body.clientId))
				owners.push(tenant.id);
		assert.deepEqual(owners, [ok(answer, configShape).tenantId]);
		return owners[0];
	},
	"oauth-config/list": async (place, sources) => {
		for (const tenant of named(sources)) await registerConfig(place, tenant);
		const answer = await place.operator.get("/tenant/oauth-config/list", withSources(place, sources));
		return ok(answer, configShape.array())[0]?.tenantId;
	},
	"oauth-config/delete": async (place, sources) => {
		for (const tenant of named(sources)) await registerConfig(place, tenant);
		const body = { providerId: "github" };
		await place.operator.post("/tenant/oauth-config/delete", withSources(place, sources, body));
		const bereft = [];
		for (const tenant of named(sources))
			if (!(await listConfigs(place, tenant)).some((config) => config.providerId === "github")) bereft.push(tenant.id);
		assert.equal(bereft.length, 1, "one tenant loses its config");
		return bereft[0];
	},
	"sign-in/social": async (place, sources) => {
		const ids = new Map<string, string>();
		for (const tenant of named(sources)) ids.set((await registerConfig(place, tenant)).clientId, tenant.id);
		const body = { provider: "github", callbackURL: "/welcome" };
		const answer = await place.visitor().post("/tenant/sign-in/social", withSources(place, sources, body));
		return ids.get(destination(answer, place.base).searchParams.get("client_id") ?? "");
	},
} satisfies Record<string, Starred>;

type Endpoint = keyof typeof starred;
const endpoints = Object.keys(starred) as Endpoint[];

/** A GET has no body to name a tenant in. */
const takes = (endpoint: Endpoint, source: Source) => source !== "body" || endpoint !== "oauth-config/list";

const placeWith = (world: World, ...sources: Source[]) =>
	sources.includes("option") ? world.at("resolver") : world.standard;

const resolves = async (place: Place, endpoint: Endpoint, source: Source) => {
	const [tenant] = await twoTenants(place);
	const dealtWith = await starred[endpoint](place, { [source]: tenant });
	assert.equal(dealtWith, tenant.id, `${endpoint} with the tenant in the ${source}`);
};

const precedes = async (place: Place, endpoint: Endpoint, first: Source, second: Source) => {
	const [tenant, other] = await twoTenants(place);
	const dealtWith = await starred[endpoint](place, { [first]: tenant, [second]: other });
	assert.equal(dealtWith, tenant.id, `${endpoint} with tenants in ${first} and ${second}`);
};

const resolvesFrom = (source: Source): Check =>
	check(`names the tenant by ${source} only, at every endpoint that accepts it`, async (world) => {
		const place = placeWith(world, source);
		for (const endpoint of endpoints) if (takes(endpoint, source)) await resolves(place, endpoint, source);
	});

const order = (first: Source, second: Source): Check =>
	check(`names one tenant by ${first} and another by ${second}, at every endpoint that accepts both`, async (world) => {
		const place = placeWith(world, first, second);
		for (const endpoint of endpoints)
			if (takes(endpoint, first) && takes(endpoint, second)) await precedes(place, endpoint, first, second);
	});

const mayBeOmitted = (endpoint: Endpoint): Check =>
	check(`calls ${endpoint} with the tenant in the field, then only in query and header`, async ({ standard }) => {
		const sources: Source[] = ["body", "query", "header"];
		for (const source of sources) if (takes(endpoint, source)) await resolves(standard, endpoint, source);
	});

export const resolutionChecks = {
	"R-1": resolvesFrom("option"),
	"R-2": resolvesFrom("body"),
	"R-3": resolvesFrom("query"),
	"R-4": resolvesFrom("header"),
	"R-5": check("names the tenant by another header name, and not by the default one", async (world) => {
		const place = world.at("header");
		for (const endpoint of endpoints) await resolves(place, endpoint, "header");
		const headers = { "x-tenant-id": (await createTenant(place)).id };
		refused(await place.visitor().post("/tenant/sign-up/email", { body: newPerson(), headers }));
	}),
	"R-6": order("option", "body"),
	"R-7": order("option", "query"),
	"R-8": order("option", "header"),
	"R-9": order("body", "query"),
	"R-10": order("body", "header"),
	"R-11": order("query", "header"),
	"R-12": check("lets the option return nothing, with body, query and header in turn", async (world) => {
		const place = world.at("resolver");
		const sources: Source[] = ["body", "query", "header"];
		for (const source of sources) await resolves(place, "sign-up/email", source);
		await precedes(place, "sign-up/email", "query", "header");
	}),
	"UP-2": mayBeOmitted("sign-up/email"),
	"UP-3": check("signs up without naming a tenant anywhere", async ({ standard }) => {
		refused(await standard.visitor().post("/tenant/sign-up/email", { body: newPerson() }));
	}),
	"IN-2": mayBeOmitted("sign-in/email"),
	"C-1": mayBeOmitted("oauth-config/register"),
	"C-13": mayBeOmitted("oauth-config/list"),
	"C-17": mayBeOmitted("oauth-config/delete"),
	"SO-2": mayBeOmitted("sign-in/social"),
	"A-8": check("names three tenants in body, query and header of one request", async ({ standard }) => {
		const [body, query] = await twoTenants(standard);
		const header = await createTenant(standard);
		for (const endpoint of endpoints) {
			const expected = takes(endpoint, "body") ? body : query;
			assert.equal(await starred[endpoint](standard, { body, query, header }), expected.id, endpoint);
		}
	}),
	"L-4": check("names the tenant by x-tenant-id at a server that sets no header name", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const headers = { "x-tenant-id": tenant.id };
		const answer = await standard.visitor().post("/tenant/sign-up/email", { body: newPerson(), headers });
		assert.equal(ok(answer, signedInShape).session.tenantId, tenant.id);
	}),
} satisfies Checks;
