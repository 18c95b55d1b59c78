import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { ok, redirection, refused, tenantShape } from "../expect.ts";
import {
	askCreateTenant,
	askSignIn,
	askSignUp,
	createTenant,
	getTenant,
	hasSerialId,
	newMember,
	newPerson,
	newSlug,
	nextPage,
	registerConfig,
	type Tenant,
	twoTenants,
} from "../place.ts";
import { askSocial } from "../social.ts";

const keysOf = (value: unknown) => Object.keys(z.record(z.string(), z.unknown()).parse(value)).sort();

/** The database counts serial ids, so a made-up user can have none, and a new one shows none. */
const unverifiedIn = (tenant: Tenant) =>
	z.strictObject({
		token: z.null(),
		user: z.looseObject({ id: z.string().optional() }).refine(({ id }) => (id === undefined) === hasSerialId(tenant)),
		session: z.null(),
	});

export const answerChecks = {
	"D-12": check("reads the fields of a tenant", async ({ standard }) => {
		// `lifecycle` is there only with tenantLifecycle(), and LC-1 reads it
		const { lifecycle: _lifecycle, ...tenant } = await createTenant(standard);
		assert.deepEqual(keysOf(tenant), ["createdAt", "id", "metadata", "name", "slug", "updatedAt"]);
		assert.equal(tenant.metadata, null);
		z.object({ createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() }).parse(tenant);
	}),
	"D-13": check("reads the fields of an OAuth config", async ({ standard }) => {
		const { config } = await registerConfig(standard, await createTenant(standard));
		const fields = [
			...["callbackURL", "callbackURLs", "clientId", "createdAt", "enabled", "providerId", "readable"],
			...["redirectURI", "scopes", "tenantId", "updatedAt"],
		];
		assert.deepEqual(keysOf(config), fields);
	}),
	"D-14": check(
		"creates tenants with the shortest and the longest slug and with ten bad ones",
		async ({ standard }) => {
			const long = `${newSlug()}-${"x".repeat(63)}`.slice(0, 63);
			assert.equal((await createTenant(standard, { slug: long })).slug, long);
			const bad = ["a", `${long}x`, "-ab", "ab-", "Upper", "under_score", "dot.ted", "sp ace", "", "näive"];
			for (const slug of bad) refused(await askCreateTenant(standard, { name: "Tenant", slug }), 400, "INVALID_SLUG");
		},
	),
	"D-15": check("reads the fields of a sign-up's response", async ({ standard }) => {
		const answer = await askSignUp(standard.visitor(), await createTenant(standard), newPerson());
		assert.equal(answer.status, 200);
		assert.deepEqual(keysOf(answer.json), ["session", "token", "user"]);
	}),
	"D-16": check("signs up with required email verification", async (world) => {
		const place = world.at("verification");
		const tenant = await createTenant(place);
		const answer = await askSignUp(place.visitor(), tenant, newPerson());
		ok(answer, unverifiedIn(tenant));
		assert.ok(!answer.setCookies.some((cookie) => /session_token=[^;]/.test(cookie)));
	}),
	"D-17": check(
		"signs one address up twice with required email verification, and compares the responses",
		async (world) => {
			const place = world.at("verification");
			const tenant = await createTenant(place);
			const person = newPerson();
			const fresh = ok(await askSignUp(place.visitor(), tenant, person), unverifiedIn(tenant));
			const taken = ok(await askSignUp(place.visitor(), tenant, person), unverifiedIn(tenant));
			assert.deepEqual(Object.keys(taken.user), Object.keys(fresh.user));
			if (!hasSerialId(tenant)) assert.notEqual(taken.user.id, fresh.user.id);
			const { tenantId: a, email: b } = z.looseObject({ tenantId: z.unknown(), email: z.string() }).parse(fresh.user);
			assert.deepEqual([taken.user.tenantId, taken.user.email], [a, b]);
		},
	),
	"D-18": check("reads the fields of a sign-in's response, with and without a callback URL", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const { person } = await newMember(standard, tenant);
		const callbackURL = "/inside";
		const redirected = await askSignIn(standard.visitor(), tenant, person, { callbackURL });
		assert.deepEqual(keysOf(redirected.json), ["redirect", "session", "token", "url", "user"]);
		ok(redirected, z.looseObject({ redirect: z.literal(true), url: z.literal(callbackURL) }));
		ok(await askSignIn(standard.visitor(), tenant, person), z.looseObject({ redirect: z.literal(false) }));
	}),
	"D-19": check("reads body and header of a social start", async ({ standard }) => {
		const tenant = await createTenant(standard);
		await registerConfig(standard, tenant);
		const answer = await askSocial(standard.visitor(), tenant);
		const { url } = ok(answer, z.looseObject({ url: z.url(), redirect: z.literal(true) }));
		assert.equal(answer.headers.get("location"), url);
	}),
	"D-20": check("starts a social sign-in with a plain HTML form", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const { clientId } = await registerConfig(standard, tenant);
		const form = { tenantId: tenant.id, provider: "github", callbackURL: "/welcome" };
		const answer = await standard.visitor().post("/tenant/sign-in/social", { form });
		assert.equal(answer.status, 302);
		assert.equal(redirection(answer, standard.base).searchParams.get("client_id"), clientId);
	}),
	"D-21": check("gets a tenant without id and slug", async ({ standard }) => {
		refused(await getTenant(standard, {}), 400, "TENANT_ID_OR_SLUG_REQUIRED");
	}),
	"D-22": check("gets a tenant by id and slug together, matching and not", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		for (const { slug } of [tenant, neighbor])
			refused(await getTenant(standard, { id: tenant.id, slug }), 400, "TENANT_ID_OR_SLUG_REQUIRED");
	}),
	"D-23": check("reads pages of two and finds no tenant twice", async ({ standard }) => {
		await Promise.all([twoTenants(standard), twoTenants(standard)]);
		const first = await standard.operator.get("/tenant/list", { query: { limit: "2" } });
		const next = nextPage(first, standard.base);
		assert.ok(next, "no next page");
		const pages = [first, await standard.operator.visit(next)].map((page) => ok(page, tenantShape.array()));
		assert.ok(pages.every((page) => page.length <= 2));
		const ids = pages.flat().map((tenant) => tenant.id);
		assert.equal(new Set(ids).size, ids.length);
	}),
	"D-24": check(
		"lists more than a hundred tenants without a limit, and requests 1001 at once",
		async ({ standard }) => {
			for (let batch = 0; batch < 11; batch++)
				await Promise.all(Array.from({ length: 10 }, () => createTenant(standard)));
			const page = await standard.operator.get("/tenant/list");
			assert.equal(ok(page, tenantShape.array()).length, 100);
			assert.ok(nextPage(page, standard.base));
			assert.equal((await standard.operator.get("/tenant/list", { query: { limit: "1000" } })).status, 200);
			refused(await standard.operator.get("/tenant/list", { query: { limit: "1001" } }), 400);
		},
	),
} satisfies Checks;
