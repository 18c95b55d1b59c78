import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { ok, refused, tenantShape } from "../expect.ts";
import type { Answer } from "../http.ts";
import {
	askCreateTenant,
	askUpdateTenant,
	createTenant,
	everyTenant,
	getTenant,
	newMember,
	newSlug,
	nextPage,
	storedTenant,
	twoTenants,
} from "../place.ts";

const datedTenants = z.looseObject({ id: z.string(), createdAt: z.string() }).array();

const currentShape = z.strictObject({
	id: z.string(),
	slug: z.string(),
	name: z.string(),
	branding: z.record(z.string(), z.string()),
	methods: z.looseObject({ email: z.looseObject({ enabled: z.boolean() }) }),
});

const messageOf = ({ json }: Answer): string => z.looseObject({ message: z.string() }).parse(json).message;

export const tenantChoiceChecks = {
	// threat 61
	"TC-1": check("creates tenants before and between two pages of the list", async ({ standard }) => {
		const created = [await createTenant(standard), await createTenant(standard), await createTenant(standard)];
		const first = await standard.operator.get("/tenant/list", { query: { limit: "2" } });
		const seen = ok(first, datedTenants);
		const later = await createTenant(standard);
		for (let next = nextPage(first, standard.base); next; ) {
			const page = await standard.operator.visit(next);
			seen.push(...ok(page, datedTenants));
			next = nextPage(page, standard.base);
		}
		const ids = seen.map(({ id }) => id);
		assert.equal(new Set(ids).size, ids.length);
		for (const { id } of created) assert.ok(ids.includes(id));
		const times = seen.map(({ createdAt }) => Date.parse(createdAt));
		assert.deepEqual(
			times,
			times.toSorted((one, other) => other - one),
		);
		const [newest] = datedTenants.parse(await everyTenant(standard));
		assert.ok(Date.parse(newest?.createdAt ?? "") >= Date.parse(String(later.createdAt)));
	}),
	"TC-2": check("sends back the metadata of a tenant that has none", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		const { metadata } = await storedTenant(standard, tenant);
		assert.equal(metadata, null);
		assert.equal((await createTenant(standard, { metadata })).metadata, null);
		ok(await askUpdateTenant(standard, { tenantId: neighbor.id, metadata: { plan: "gold" } }), tenantShape);
		ok(await askUpdateTenant(standard, { tenantId: neighbor.id, metadata }), tenantShape);
		assert.equal((await storedTenant(standard, neighbor)).metadata, null);
	}),
	// threat 59
	"TC-3": check("creates and updates with the key at two levels, and with keys that look like it", async (world) => {
		const { standard } = world;
		const [tenant, neighbor] = await twoTenants(standard);
		for (const metadata of [JSON.parse('{"__proto__":1}'), JSON.parse('{"a":[{"__proto__":{"b":1}}]}')]) {
			const answers = [
				await askCreateTenant(standard, { name: "Tenant", slug: newSlug(), metadata }),
				await askUpdateTenant(standard, { tenantId: tenant.id, metadata }),
			];
			for (const answer of answers) {
				refused(answer, 400, "INVALID_METADATA");
				assert.ok(messageOf(answer).includes('"__proto__"'), messageOf(answer));
			}
		}
		for (const one of [tenant, neighbor]) assert.equal((await storedTenant(standard, one)).metadata, null);
		const metadata = { constructor: 1, prototype: { constructor: {} }, __proto: 2 };
		ok(await askUpdateTenant(standard, { tenantId: tenant.id, metadata }), tenantShape);
		assert.deepEqual((await storedTenant(standard, tenant)).metadata, metadata);
	}),
	// threat 35
	"TC-4": check("creates tenants with slugs that break one rule each", async ({ standard }) => {
		const rules: [string, RegExp][] = [
			["a", /2 to 63/],
			["x".repeat(64), /2 to 63/],
			["Upper", /lower case/],
			["under_score", /a-z, 0-9 and '-'/],
			["ab-", /start and end/],
			["xn--abc", /'--'/],
			["admin", /reserved/],
		];
		for (const [slug, rule] of rules) {
			const answer = await askCreateTenant(standard, { name: "Tenant", slug });
			refused(answer, 400, "INVALID_SLUG");
			assert.match(messageOf(answer), rule);
		}
	}),
	"TC-5": check("gets two tenants by tenantId, and by several names at once", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		for (const { id } of [tenant, neighbor])
			assert.equal(ok(await getTenant(standard, { tenantId: id }), tenantShape).id, id);
		const several: Record<string, string>[] = [
			{ id: tenant.id, tenantId: neighbor.id },
			{ id: tenant.id, tenantId: tenant.id },
			{ tenantId: tenant.id, slug: neighbor.slug },
		];
		for (const query of several) refused(await getTenant(standard, query), 400, "TENANT_ID_OR_SLUG_REQUIRED");
	}),
	"TC-6": check("creates and updates with a field that tenants do not have", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const answers = [
			await askUpdateTenant(standard, { tenantId: tenant.id, name: "New", status: "suspended" }),
			await askCreateTenant(standard, { name: "Tenant", slug: newSlug(), status: "suspended" }),
		];
		for (const answer of answers) {
			refused(answer, 400, "UNKNOWN_FIELD");
			assert.ok(messageOf(answer).includes('"status"'), messageOf(answer));
		}
		assert.equal((await storedTenant(standard, tenant)).name, tenant.name);
	}),
	// threat 128
	"TC-7": check(
		"searches tenants by slug and by name, as an operator, a member and a stranger",
		async ({ standard }) => {
			const beginning = newSlug();
			const created = [];
			for (const end of ["a", "b", "c"])
				created.push(await createTenant(standard, { name: `${beginning} ${end}`, slug: `${beginning}-${end}` }));
			for (const field of ["slug", "name"]) {
				const query = { [field]: beginning, limit: "2" };
				let answer = await standard.operator.get("/tenant/list", { query });
				const found = ok(answer, tenantShape.array());
				for (let next = nextPage(answer, standard.base); next; next = nextPage(answer, standard.base)) {
					answer = await standard.operator.visit(next);
					found.push(...ok(answer, tenantShape.array()));
				}
				assert.deepEqual(
					found.map(({ id }) => id),
					created.map(({ id }) => id),
				);
				const [tenant] = created;
				const { browser } = await newMember(standard, tenant ?? (await createTenant(standard)));
				for (const visitor of [browser, standard.visitor()]) refused(await visitor.get("/tenant/list", { query }));
			}
			refused(await standard.operator.get("/tenant/list", { query: { slug: beginning, name: beginning } }), 400);
			const nobody = { slug: `${beginning}-nobody` };
			assert.deepEqual(ok(await standard.operator.get("/tenant/list", { query: nobody }), tenantShape.array()), []);
		},
	),
	// threat 150
	"TC-8": check(
		"asks two tenants for what is public, with and without a session of the other",
		async ({ standard }) => {
			const metadata = { note: "not public" };
			const [tenant, neighbor] = [
				await createTenant(standard, { metadata }),
				await createTenant(standard, { metadata }),
			];
			const { browser } = await newMember(standard, neighbor);
			for (const visitor of [standard.visitor(), browser]) {
				const answer = await visitor.get("/tenant/current", { query: { tenantId: tenant.id } });
				const { id, slug, name } = ok(answer, currentShape);
				assert.deepEqual({ id, slug, name }, { id: tenant.id, slug: tenant.slug, name: tenant.name });
				assert.ok(!JSON.stringify(answer.json).includes(metadata.note));
				refused(await visitor.get("/tenant/current", { query: { tenantId: "unknown" } }), 404, "TENANT_NOT_FOUND");
			}
			assert.equal(ok(await browser.get("/tenant/current"), currentShape).id, neighbor.id);
			assert.equal(ok(await standard.visitor().get("/tenant/current"), z.null()), null);
		},
	),
} satisfies Checks;
