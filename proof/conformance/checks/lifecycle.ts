import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { ok, refused, tenantShape } from "../expect.ts";
import {
	askSignIn,
	askSignUp,
	askUpdateTenant,
	deleteTenant,
	everyTenant,
	getTenant,
	newMember,
	newPerson,
	type Place,
	sessionOf,
	type Tenant,
	twoTenants,
} from "../place.ts";

type Verb = "suspend" | "archive" | "restore";

const changed = tenantShape.extend({ lifecycle: z.looseObject({ status: z.string(), reason: z.string().nullable() }) });

const ask = (place: Place, verb: Verb, tenant: Pick<Tenant, "id">, endSessions = false) =>
	place.operator.post(`/tenant/${verb}`, {
		body: { tenantId: tenant.id, reason: "conformance", ...(endSessions ? { endSessions } : {}) },
	});

const change = async (...given: Parameters<typeof ask>) => ok(await ask(...given), changed).lifecycle;

export const lifecycleChecks = {
	// threat 107
	"LC-1": check("suspends a tenant, and uses it with and without a session", async ({ at }) => {
		const place = at("lifecycle");
		const [tenant, neighbor] = await twoTenants(place);
		const [member, other] = [await newMember(place, tenant), await newMember(place, neighbor)];
		assert.equal((await change(place, "suspend", tenant)).status, "suspended");
		for (const answer of [
			await member.browser.get("/get-session"),
			await askSignIn(place.visitor(), tenant, member.person),
			await askSignUp(place.visitor(), tenant, newPerson()),
			await place.visitor().get("/tenant/methods", { query: { tenantId: tenant.id } }),
		])
			refused(answer, 403, "TENANT_SUSPENDED");
		assert.equal((await sessionOf(other.browser))?.user.id, other.user.id);
	}),
	// threat 107
	"LC-2": check("archives a tenant, uses it, and suspends it", async ({ at }) => {
		const place = at("lifecycle");
		const [tenant, neighbor] = await twoTenants(place);
		const [member, other] = [await newMember(place, tenant), await newMember(place, neighbor)];
		assert.equal((await change(place, "archive", tenant)).status, "archived");
		refused(await member.browser.get("/get-session"), 403, "TENANT_ARCHIVED");
		refused(await ask(place, "suspend", tenant), 409, "TENANT_ARCHIVED");
		assert.equal((await sessionOf(other.browser))?.user.id, other.user.id);
	}),
	"LC-3": check("suspends and restores a tenant, and uses its session", async ({ at }) => {
		const place = at("lifecycle");
		const [tenant, neighbor] = await twoTenants(place);
		const [member, other] = [await newMember(place, tenant), await newMember(place, neighbor)];
		await change(place, "suspend", tenant);
		assert.equal((await change(place, "restore", tenant)).status, "active");
		for (const { browser, user } of [member, other]) assert.equal((await sessionOf(browser))?.user.id, user.id);
	}),
	// threat 108
	"LC-4": check("ends the sessions of a tenant at its restore, asked for by either call", async ({ at }) => {
		const place = at("lifecycle");
		const [tenant, neighbor] = await twoTenants(place);
		const [member, other] = [await newMember(place, tenant), await newMember(place, neighbor)];
		for (const [atSuspension, atRestore] of [
			[false, true],
			[true, false],
		] as const) {
			const browser = place.visitor();
			assert.equal((await askSignIn(browser, tenant, member.person)).status, 200);
			assert.equal((await sessionOf(browser))?.user.id, member.user.id);
			await change(place, "suspend", tenant, atSuspension);
			await change(place, "restore", tenant, atRestore);
			assert.equal(await sessionOf(browser), null);
			assert.equal((await askSignIn(browser, tenant, member.person)).status, 200);
			assert.equal((await sessionOf(browser))?.user.id, member.user.id);
		}
		assert.equal((await sessionOf(other.browser))?.user.id, other.user.id);
	}),
	"LC-5": check("reads and updates a suspended tenant", async ({ at }) => {
		const place = at("lifecycle");
		const [tenant, neighbor] = await twoTenants(place);
		await change(place, "suspend", tenant);
		const { lifecycle } = ok(await getTenant(place, { id: tenant.id }), changed);
		assert.deepEqual([lifecycle.status, lifecycle.reason], ["suspended", "conformance"]);
		const listed = (await everyTenant(place)).map(({ id }) => id);
		for (const { id } of [tenant, neighbor]) assert.ok(listed.includes(id));
		refused(await askUpdateTenant(place, { tenantId: tenant.id, name: "New" }), 403, "TENANT_SUSPENDED");
		ok(await askUpdateTenant(place, { tenantId: neighbor.id, name: "New" }), tenantShape);
	}),
	// threat 107
	"LC-6": check("changes tenants as a member, as a stranger, and one that does not exist", async ({ at }) => {
		const place = at("lifecycle");
		const [tenant, neighbor] = await twoTenants(place);
		const { browser } = await newMember(place, tenant);
		for (const verb of ["suspend", "archive", "restore"] as const) {
			for (const { id } of [tenant, neighbor])
				for (const visitor of [browser, place.visitor()])
					refused(await visitor.post(`/tenant/${verb}`, { body: { tenantId: id, reason: "mine" } }));
			refused(await ask(place, verb, { id: "missing-tenant" }), 404, "TENANT_NOT_FOUND");
		}
		for (const { id } of [tenant, neighbor])
			assert.equal(ok(await getTenant(place, { id }), changed).lifecycle.status, "active");
	}),
	"LC-7": check("deletes a suspended tenant, and restores it", async ({ at }) => {
		const place = at("lifecycle");
		const [tenant, neighbor] = await twoTenants(place);
		await change(place, "suspend", tenant);
		assert.equal((await deleteTenant(place, tenant)).status, 200);
		refused(await ask(place, "restore", tenant), 404, "TENANT_NOT_FOUND");
		assert.equal(ok(await getTenant(place, { id: neighbor.id }), changed).lifecycle.status, "active");
	}),
	"LC-8": check("lists tenants by their status, with and without a search", async ({ at }) => {
		const place = at("lifecycle");
		const [tenant, neighbor] = await twoTenants(place);
		await change(place, "suspend", tenant);
		const find = async (query: Record<string, string>) =>
			ok(await place.operator.get("/tenant/list", { query }), tenantShape.array()).map(({ id }) => id);
		assert.deepEqual(await find({ slug: tenant.slug, status: "suspended" }), [tenant.id]);
		assert.deepEqual(await find({ slug: neighbor.slug, status: "suspended" }), []);
		assert.deepEqual(await find({ slug: neighbor.slug, status: "active" }), [neighbor.id]);
		const suspended = await find({ status: "suspended", limit: "1000" });
		assert.deepEqual([suspended.includes(tenant.id), suspended.includes(neighbor.id)], [true, false]);
	}),
} satisfies Checks;
