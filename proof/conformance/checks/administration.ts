import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { ok, refused } from "../expect.ts";
import type { Browser } from "../http.ts";
import {
	askSignIn,
	askSignUp,
	newMember,
	newPerson,
	type Place,
	sessionOf,
	type Tenant,
	twoTenants,
} from "../place.ts";

const userShape = z.looseObject({ id: z.string(), email: z.string(), role: z.enum(["owner", "admin", "member"]) });
const erasedShape = z.looseObject({
	erasure: z.looseObject({ rows: z.record(z.string(), z.number()) }),
	record: z.string(),
});

type Member = Awaited<ReturnType<typeof newMember>>;

const ask = (by: Browser, path: string, tenant: Tenant, userId: string, fields: object = {}) =>
	by.post(`/tenant/user/${path}`, { body: { tenantId: tenant.id, userId, ...fields } });

const withRole = async (place: Place, tenant: Tenant, role: string): Promise<Member> => {
	const member = await newMember(place, tenant);
	ok(await ask(place.operator, "set-role", tenant, member.user.id, { role }), userShape);
	return member;
};

const roleOf = async (place: Place, tenant: Tenant, { user }: Member) => {
	const query = { tenantId: tenant.id, userId: user.id };
	return ok(await place.operator.get("/tenant/user/get", { query }), userShape).role;
};

/** Two tenants with an owner, an admin and a member each. */
const administered = async (place: Place) => {
	const tenants = await twoTenants(place);
	const people = async (tenant: Tenant) => ({
		tenant,
		owner: await withRole(place, tenant, "owner"),
		admin: await withRole(place, tenant, "admin"),
		member: await newMember(place, tenant),
	});
	const [a, b] = [await people(tenants[0]), await people(tenants[1])];
	return { a, b };
};

export const administrationChecks = {
	"AD-1": check("manages users as an admin, a member, a stranger and the owner of another tenant", async (world) => {
		const place = world.at("admin");
		const { a, b } = await administered(place);
		const query = { tenantId: a.tenant.id, email: a.member.person.email };
		const listed = ok(await a.admin.browser.get("/tenant/user/list", { query }), userShape.array());
		assert.deepEqual(
			listed.map(({ id }) => id),
			[a.member.user.id],
		);
		for (const by of [a.member.browser, b.owner.browser, place.visitor()]) {
			refused(await by.get("/tenant/user/list", { query }));
			refused(await ask(by, "ban", a.tenant, a.admin.user.id));
			refused(await ask(by, "remove", a.tenant, a.admin.user.id));
		}
		ok(await ask(a.admin.browser, "ban", a.tenant, a.member.user.id), userShape);
		assert.equal(await sessionOf(a.member.browser), null);
		refused(await askSignIn(place.visitor(), a.tenant, a.member.person));
		assert.ok(await sessionOf(b.member.browser));
	}),
	"AD-2": check("names a user of the other tenant, and one that does not exist", async (world) => {
		const { a, b } = await administered(world.at("admin"));
		for (const path of ["ban", "remove", "end-sessions", "erase"]) {
			const foreign = await ask(a.owner.browser, path, a.tenant, b.member.user.id);
			const missing = await ask(a.owner.browser, path, a.tenant, "nobody");
			refused(foreign, 404, "TENANT_USER_NOT_FOUND");
			assert.equal(foreign.text, missing.text);
		}
		assert.ok(await sessionOf(b.member.browser));
	}),
	"AD-3": check("acts on an owner as an admin, and on oneself", async (world) => {
		const place = world.at("admin");
		const { a } = await administered(place);
		const { browser } = a.admin;
		for (const [path, fields] of [
			["ban", {}],
			["remove", {}],
			["set-role", { role: "member" }],
		] as const)
			refused(await ask(browser, path, a.tenant, a.owner.user.id, fields), 403, "OWNER_REQUIRED");
		refused(await ask(browser, "set-role", a.tenant, a.member.user.id, { role: "owner" }), 403, "OWNER_REQUIRED");
		refused(await ask(browser, "set-role", a.tenant, a.admin.user.id, { role: "owner" }), 403, "NOT_ON_YOURSELF");
		assert.equal(await roleOf(place, a.tenant, a.owner), "owner");
		assert.equal(await roleOf(place, a.tenant, a.admin), "admin");
	}),
	// threat 110
	"AD-4": check("takes the last owner away in four ways, and both of two owners at the same time", async (world) => {
		const place = world.at("admin");
		const { a } = await administered(place);
		const { operator } = place;
		for (const [path, fields] of [
			["set-role", { role: "admin" }],
			["ban", {}],
			["remove", {}],
			["erase", {}],
		] as const)
			refused(await ask(operator, path, a.tenant, a.owner.user.id, fields), 409, "LAST_OWNER");
		ok(await ask(operator, "set-role", a.tenant, a.admin.user.id, { role: "owner" }), userShape);
		const answers = await Promise.all(
			[a.owner, a.admin].map(({ user }) => ask(operator, "set-role", a.tenant, user.id, { role: "member" })),
		);
		assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
		const roles = [await roleOf(place, a.tenant, a.owner), await roleOf(place, a.tenant, a.admin)];
		assert.deepEqual(roles.sort(), ["member", "owner"]);
	}),
	"AD-5": check("signs up with a role, and calls the endpoints of the admin plugin as an owner", async (world) => {
		const place = world.at("admin");
		const { a } = await administered(place);
		const person = newPerson();
		await askSignUp(place.visitor(), a.tenant, person, { role: "owner" });
		const query = { tenantId: a.tenant.id, email: person.email };
		const listed = ok(await place.operator.get("/tenant/user/list", { query }), userShape.array());
		assert.ok(listed.every(({ role }) => role === "member"));
		for (const [path, body] of [
			["/admin/set-role", { userId: a.member.user.id, role: "owner" }],
			["/admin/impersonate-user", { userId: a.member.user.id }],
			["/admin/remove-user", { userId: a.member.user.id }],
		] as const)
			refused(await a.owner.browser.post(path, { body }), 403, "ADMIN_ENDPOINT_CLOSED");
		assert.equal(await roleOf(place, a.tenant, a.member), "member");
	}),
	"AD-6": check("erases a user, signs in again, and looks at the other tenant", async (world) => {
		const place = world.at("admin");
		const { a, b } = await administered(place);
		const { erasure, record } = ok(await ask(a.owner.browser, "erase", a.tenant, a.member.user.id), erasedShape);
		assert.equal(erasure.rows.user, 1);
		assert.equal(erasure.rows.account, 1);
		assert.match(record, /^[\w-]+\.[\w-]+\.[\w-]+$/);
		assert.equal(await sessionOf(a.member.browser), null);
		refused(await askSignIn(place.visitor(), a.tenant, a.member.person));
		assert.ok(await sessionOf(b.member.browser));
	}),
} satisfies Checks;
