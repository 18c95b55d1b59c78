import assert from "node:assert/strict";
import { type Checks, check } from "../check.ts";
import { eventually, notStrings, ok, refused, tenantShape } from "../expect.ts";
import {
	anyMetadata,
	askCreateTenant,
	askUpdateTenant,
	createTenant,
	deleteTenant,
	everyTenant,
	getTenant,
	newMember,
	newSlug,
	type Place,
	registerConfig,
	sessionOf,
	storedTenant,
	type Tenant,
	twoTenants,
} from "../place.ts";
import { startSocial } from "../social.ts";

const update = async (place: Place, tenant: Tenant, fields: Record<string, unknown>) =>
	ok(await askUpdateTenant(place, { tenantId: tenant.id, ...fields }), tenantShape);

export const tenantEndpointChecks = {
	"M-1": check("creates without a name and with names that are not strings", async ({ standard }) => {
		const slug = newSlug();
		for (const name of notStrings) refused(await askCreateTenant(standard, { name, slug }));
		refused(await getTenant(standard, { slug }));
		await createTenant(standard, { slug });
	}),
	"M-2": check("creates without a slug and with slugs that are not strings", async ({ standard }) => {
		for (const slug of notStrings) refused(await askCreateTenant(standard, { name: "No slug", slug }));
	}),
	"M-3": check(
		"creates with an object as metadata, without any, and with values that are not objects",
		async ({ standard }) => {
			await createTenant(standard, { metadata: {} });
			await createTenant(standard);
			for (const metadata of ["text", 7, true, [1, 2]])
				refused(await askCreateTenant(standard, { name: "Bad metadata", slug: newSlug(), metadata }));
		},
	),
	"M-4": check("compares the response with the request", async ({ standard }) => {
		const sent = { name: "Sent", slug: newSlug(), metadata: { sent: true } };
		const { id, name, slug, metadata } = await createTenant(standard, sent);
		assert.ok(id);
		assert.deepEqual({ name, slug, metadata }, sent);
	}),
	"M-5": check("gets each of two tenants by id", async ({ standard }) => {
		for (const tenant of await twoTenants(standard))
			assert.equal(ok(await getTenant(standard, { id: tenant.id }), tenantShape).slug, tenant.slug);
	}),
	"M-6": check("gets each of two tenants by slug", async ({ standard }) => {
		for (const tenant of await twoTenants(standard))
			assert.equal(ok(await getTenant(standard, { slug: tenant.slug }), tenantShape).id, tenant.id);
	}),
	"M-7": check("lists without any input", async ({ standard }) => {
		await twoTenants(standard);
		assert.ok(ok(await standard.operator.get("/tenant/list"), tenantShape.array()).length >= 2);
	}),
	"M-8": check("finds two created tenants once each in the list, as get returns them", async ({ standard }) => {
		const created = await twoTenants(standard);
		const listed = await everyTenant(standard);
		for (const tenant of created) {
			const found = listed.filter((one) => one.id === tenant.id);
			assert.deepEqual(found, [await storedTenant(standard, tenant)]);
		}
	}),
	"M-9": check("updates without a tenant id, and with ids that are not strings", async ({ standard }) => {
		for (const tenantId of notStrings) refused(await askUpdateTenant(standard, { tenantId, name: "Nobody" }));
		const [tenant, neighbor] = await twoTenants(standard);
		await update(standard, tenant, { name: "Somebody" });
		assert.equal((await storedTenant(standard, neighbor)).name, neighbor.name);
	}),
	"M-10": check("updates only the name, and other fields without it", async ({ standard }) => {
		const tenant = await createTenant(standard, { metadata: { kept: true } });
		await update(standard, tenant, { name: "New name" });
		await update(standard, tenant, { metadata: { kept: true, more: 1 } });
		const { name, slug } = await storedTenant(standard, tenant);
		assert.deepEqual({ name, slug }, { name: "New name", slug: tenant.slug });
		refused(await askUpdateTenant(standard, { tenantId: tenant.id, name: 7 }));
	}),
	"M-11": check("updates only the slug: the new one finds the tenant, the old one does not", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const slug = newSlug();
		await update(standard, tenant, { slug });
		assert.equal(ok(await getTenant(standard, { slug }), tenantShape).id, tenant.id);
		refused(await getTenant(standard, { slug: tenant.slug }));
		assert.equal((await storedTenant(standard, tenant)).name, tenant.name);
		refused(await askUpdateTenant(standard, { tenantId: tenant.id, slug: 7 }));
	}),
	"M-12": check("updates only the metadata, and other fields without changing it", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		await update(standard, tenant, { metadata: anyMetadata });
		await update(standard, tenant, { name: "Renamed" });
		assert.deepEqual((await storedTenant(standard, tenant)).metadata, anyMetadata);
		refused(await askUpdateTenant(standard, { tenantId: tenant.id, metadata: "text" }));
	}),
	"M-13": check("compares the response of an update with get", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const sent = { name: "All new", slug: newSlug(), metadata: { updated: true } };
		const answered = await update(standard, tenant, sent);
		const { name, slug, metadata } = answered;
		assert.deepEqual({ name, slug, metadata }, sent);
		assert.equal(answered.id, tenant.id);
		assert.deepEqual(answered, await storedTenant(standard, tenant));
	}),
	"M-14": check("deletes without a tenant id, and with ids that are not strings", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		for (const tenantId of notStrings) refused(await standard.operator.post("/tenant/delete", { body: { tenantId } }));
		assert.equal((await storedTenant(standard, tenant)).id, tenant.id);
	}),
	"M-15": check("reads the response of a delete", async ({ standard }) => {
		const [tenant] = await twoTenants(standard);
		const answer = await deleteTenant(standard, tenant);
		assert.equal(answer.status, 200);
		assert.deepEqual(answer.json, { success: true });
	}),
	"M-16": check("searches for a deleted tenant's rows, and counts another tenant's", async (world) => {
		const { standard } = world;
		const inspect = world.inspect();
		const [tenant, neighbor] = await twoTenants(standard);
		const records = async (owner: Tenant) => {
			const tables = ["user", "account", "session", "verification", "tenantOauthConfig"];
			return (await Promise.all(tables.map((table) => inspect.rowsOf(table, owner.id)))).flat().length;
		};
		const members = [];
		for (const owner of [tenant, neighbor]) {
			members.push(await newMember(standard, owner));
			await registerConfig(standard, owner);
			await startSocial(standard, standard.visitor(), owner);
		}
		const kept = await records(neighbor);
		assert.ok(kept >= 3 && (await records(tenant)) === kept, "the records are not where they are expected");
		assert.equal((await deleteTenant(standard, tenant)).status, 200);
		await eventually(async () => assert.equal(await records(tenant), 0));
		const [gone, alive] = members;
		await eventually(async () => {
			const everything = await inspect.everything();
			assert.ok(gone && !everything.includes(gone.user.id), "the deleted tenant's user is still stored somewhere");
			assert.ok(alive && everything.includes(alive.user.id), "the other tenant's user is gone");
		});
		assert.equal(await records(neighbor), kept);
		assert.ok(alive && (await sessionOf(alive.browser)));
	}),
} satisfies Checks;
