import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check, deviates } from "../check.ts";
import { eventually, notStrings, ok, refused, tenantShape } from "../expect.ts";
import {
	anyMetadata,
	askCreateTenant,
	askUpdateTenant,
	createTenant,
	deleteTenant,
	everyTenant,
	getTenant,
	hasSerialId,
	newMember,
	newSlug,
	nextPage,
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

/** What a stored row of a user contains, and no row of another one. */
const tracesOf = (member: Awaited<ReturnType<typeof newMember>> | undefined): string[] => {
	assert.ok(member);
	const { user, person } = member;
	return hasSerialId(user) ? [person.email] : [person.email, user.id];
};

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
	"M-8": deviates(
		"finds two created tenants once each in the pages of the list, and a hundred tenants on the first one",
		"Without input, the list is a page of the 100 newest tenants. The `Link` header has the next one, because a list of all tenants has no bound.",
		async ({ standard }) => {
			const created = await twoTenants(standard);
			for (let batch = 0; batch < 10; batch++)
				await Promise.all(Array.from({ length: 10 }, () => createTenant(standard)));
			const page = await standard.operator.get("/tenant/list");
			assert.equal(ok(page, tenantShape.array()).length, 100);
			assert.ok(nextPage(page, standard.base));
			const listed = await everyTenant(standard);
			for (const tenant of created) {
				const found = listed.filter((one) => one.id === tenant.id);
				assert.deepEqual(found, [await storedTenant(standard, tenant)]);
			}
		},
	),
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
	"M-15": deviates(
		"reads the response of a delete, and how long it took for a tenant with a session",
		"The call returns after `deletion.drainTime`, 20 seconds by default, if a process has served the tenant. Requests that saw the tenant open would otherwise write rows that nobody deletes.",
		async ({ standard, at }) => {
			const [tenant] = await twoTenants(standard);
			const answer = await deleteTenant(standard, tenant);
			assert.equal(answer.status, 200);
			assert.deepEqual(answer.json, { success: true });
			const place = at("drainTime");
			const [served, neighbor] = await twoTenants(place);
			const members = [await newMember(place, served), await newMember(place, neighbor)];
			const started = performance.now();
			ok(await deleteTenant(place, served), z.object({ success: z.literal(true) }));
			// a timer may fire a millisecond early
			assert.ok(performance.now() - started >= 990, "the delete did not wait");
			for (const { browser } of members)
				assert.equal((await sessionOf(browser)) === null, browser === members[0]?.browser);
		},
	),
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
			for (const trace of tracesOf(gone))
				assert.ok(!everything.includes(trace), "the deleted tenant's user is still stored somewhere");
			for (const trace of tracesOf(alive)) assert.ok(everything.includes(trace), "the other tenant's user is gone");
		});
		assert.equal(await records(neighbor), kept);
		assert.ok(alive && (await sessionOf(alive.browser)));
	}),
} satisfies Checks;
