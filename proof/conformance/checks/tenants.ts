import assert from "node:assert/strict";
import { type Checks, check, deviates } from "../check.ts";
import { ok, refused, signedInShape, tenantShape } from "../expect.ts";
import {
	anyMetadata,
	askCreateTenant,
	askSignUp,
	askUpdateTenant,
	createTenant,
	newPerson,
	newSlug,
	storedTenant,
	twoTenants,
} from "../place.ts";

/** An object with this many levels. */
const nested = (levels: number): object => (levels === 1 ? { a: 1 } : { a: nested(levels - 1) });

export const tenantChecks = {
	"T-1": check("uses the id of a created tenant as tenantId of a sign-up", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		assert.notEqual(tenant.id, neighbor.id);
		const { session } = ok(await askSignUp(standard.visitor(), tenant, newPerson()), signedInShape);
		assert.equal(session.tenantId, tenant.id);
	}),
	"T-2": check(
		"creates a tenant with a display name in many scripts, and none without a name",
		async ({ standard }) => {
			const name = "Żółć & Søns, 漢字 GmbH";
			const tenant = await createTenant(standard, { name });
			assert.equal((await storedTenant(standard, tenant)).name, name);
			refused(await askCreateTenant(standard, { slug: newSlug() }));
		},
	),
	"T-3": check("creates a tenant with a slug, and none without", async ({ standard }) => {
		const slug = newSlug();
		assert.equal((await createTenant(standard, { slug })).slug, slug);
		refused(await askCreateTenant(standard, { name: "No slug" }));
	}),
	"T-4": check("gives one slug to one of many parallel creates, and to no update", async ({ standard }) => {
		const slug = newSlug();
		const answers = await Promise.all(
			Array.from({ length: 5 }, () => askCreateTenant(standard, { name: "Racer", slug })),
		);
		const created = answers.filter((answer) => answer.status === 200).map((answer) => ok(answer, tenantShape));
		assert.equal(created.length, 1);
		for (const answer of answers) if (answer.status !== 200) refused(answer);
		const [tenant] = await twoTenants(standard);
		refused(await askUpdateTenant(standard, { tenantId: tenant.id, slug }));
		assert.equal((await storedTenant(standard, tenant)).slug, tenant.slug);
	}),
	"T-5": deviates(
		"accepts slugs that a URL keeps unchanged, and refuses others, some URL-friendly ones included",
		"A slug is a lower-case DNS label of 2 to 63 characters that is not reserved, because it can become a subdomain. `Acme`, `a_b`, `a.b`, `a` and `admin` are URL-friendly and refused.",
		async ({ standard }) => {
			const { slug } = await createTenant(standard);
			assert.equal(
				new URL(`https://${slug}.example.com/${slug}?${slug}`).href,
				`https://${slug}.example.com/${slug}?${slug}`,
			);
			const friendly = ["Acme", "a_b", "a.b", "a", "admin", "x".repeat(64)];
			for (const bad of ["two words", "a/b", "a?b", "a#b", "ä-tenant", "a%20b", "", ...friendly])
				refused(await askCreateTenant(standard, { name: "Bad slug", slug: bad }), 400, "INVALID_SLUG");
		},
	),
	"T-6": check("creates tenants with and without metadata", async ({ standard }) => {
		const without = await createTenant(standard);
		assert.equal((await storedTenant(standard, without)).metadata ?? null, null);
		const metadata = { plan: "pro" };
		const tenant = await createTenant(standard, { metadata });
		assert.deepEqual((await storedTenant(standard, tenant)).metadata, metadata);
	}),
	"T-7": deviates(
		"stores every kind of JSON value and reads it back equal, up to 16 kB and 32 levels, without the key __proto__",
		"Metadata is read with every tenant, so it has at most 16 kB and 32 levels. The key `__proto__` is refused, because code that copies objects would change their prototype.",
		async ({ standard }) => {
			const text = "x".repeat(16_384 - '{"text":""}'.length);
			const kept = [anyMetadata, { constructor: [1], prototype: {} }, nested(32), { text }];
			for (const metadata of kept) {
				const tenant = await createTenant(standard, { metadata });
				assert.deepEqual(tenant.metadata, metadata);
				assert.deepEqual((await storedTenant(standard, tenant)).metadata, metadata);
			}
			const [tenant, neighbor] = await twoTenants(standard);
			for (const metadata of [{ text: `${text}x` }, nested(33), JSON.parse('{"a":{"__proto__":1}}')])
				refused(await askUpdateTenant(standard, { tenantId: tenant.id, metadata }), 400, "INVALID_METADATA");
			for (const one of [tenant, neighbor]) assert.equal((await storedTenant(standard, one)).metadata, null);
		},
	),
} satisfies Checks;
