import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check, type World } from "../check.ts";
import { ok, refused } from "../expect.ts";
import type { Browser } from "../http.ts";
import { askSignUp, newPerson, type Person, type Place, type Tenant, twoTenants } from "../place.ts";

const invitationShape = z.looseObject({ id: z.string(), email: z.string(), role: z.string() });
const acceptedShape = z.looseObject({
	user: z.looseObject({ id: z.string(), email: z.string(), role: z.string(), emailVerified: z.boolean() }),
});
const successShape = z.looseObject({ success: z.literal(true) });

const askInvite = (by: Browser, tenant: Tenant, { email }: Person, role = "member") =>
	by.post("/tenant/invitation/create", { body: { tenantId: tenant.id, email, role } });
const askChange = (by: Browser, path: string, tenant: Tenant, id: string) =>
	by.post(`/tenant/invitation/${path}`, { body: { tenantId: tenant.id, id } });
const askAccept = (by: Browser, token: string, fields: object = {}) =>
	by.post("/tenant/invitation/accept", { body: { token, ...fields } });

/** What a new user sends. The address comes from the invitation. */
const accountOf = ({ name, password }: Person) => ({ name, password });

/** Invites a new person, and returns the token of the mail. */
const invite = async (world: World, by: Browser, tenant: Tenant, role?: string) => {
	const person = newPerson();
	const { id } = ok(await askInvite(by, tenant, person, role), invitationShape);
	const token = new URL((await world.mailTo(person.email)).url).searchParams.get("token") ?? "";
	return { id, person, token };
};

/** A user who came by an invitation. */
const join = async (world: World, place: Place, tenant: Tenant, role: string) => {
	const { person, token } = await invite(world, place.operator, tenant, role);
	const browser = place.visitor();
	const { user } = ok(await askAccept(browser, token, accountOf(person)), acceptedShape);
	return { person, browser, user };
};

export const invitationChecks = {
	// threat 112
	"INV-1": check("accepts an invitation with five requests at the same time, then again", async (world) => {
		const place = world.at("admin");
		const [tenant, neighbor] = await twoTenants(place);
		const { person, token } = await invite(world, place.operator, tenant, "admin");
		const fields = { name: person.name, password: person.password };
		const answers = await Promise.all(Array.from({ length: 5 }, () => askAccept(place.visitor(), token, fields)));
		const [accepted, ...others] = answers.filter(({ status }) => status === 200);
		assert.equal(others.length, 0);
		const { user } = ok(accepted ?? assert.fail("nobody accepted"), acceptedShape);
		assert.deepEqual([user.email, user.role, user.emailVerified], [person.email, "admin", true]);
		refused(await askAccept(place.visitor(), token, fields), 404, "INVITATION_NOT_FOUND");
		const signIn = (one: Tenant) =>
			place.visitor().post("/tenant/sign-in/email", {
				body: { tenantId: one.id, email: person.email, password: person.password },
			});
		assert.deepEqual([(await signIn(tenant)).status, (await signIn(neighbor)).status], [200, 401]);
	}),
	// threat 112
	"INV-2": check("sends tokens of another tenant, revoked ones and made-up ones", async (world) => {
		const place = world.at("admin");
		const [tenant, neighbor] = await twoTenants(place);
		const open = await invite(world, place.operator, tenant);
		const revoked = await invite(world, place.operator, neighbor);
		ok(await askChange(place.operator, "revoke", neighbor, revoked.id), successShape);
		const [random = ""] = open.token.split("~");
		const attempts = [open.token, random, revoked.token, "made-up"];
		for (const token of attempts) {
			const fields = { name: "Eve", password: open.person.password, tenantId: neighbor.id };
			refused(await askAccept(place.visitor(), token, fields), 404, "INVITATION_NOT_FOUND");
			const query = { token, tenantId: neighbor.id };
			refused(await place.visitor().get("/tenant/invitation/get", { query }), 404, "INVITATION_NOT_FOUND");
		}
		refused(await askChange(place.operator, "revoke", neighbor, open.id), 404, "INVITATION_NOT_FOUND");
		ok(await askAccept(place.visitor(), open.token, accountOf(open.person)), acceptedShape);
	}),
	// threat 113
	"INV-3": check("invites as an owner, an admin, a member, a neighbor and a stranger", async (world) => {
		const place = world.at("admin");
		const [tenant, neighbor] = await twoTenants(place);
		const owner = await join(world, place, tenant, "owner");
		const admin = await join(world, place, tenant, "admin");
		const member = await join(world, place, tenant, "member");
		const foreign = await join(world, place, neighbor, "owner");
		ok(await askInvite(owner.browser, tenant, newPerson(), "owner"), invitationShape);
		ok(await askInvite(admin.browser, tenant, newPerson(), "admin"), invitationShape);
		refused(await askInvite(admin.browser, tenant, newPerson(), "owner"), 403, "INVITATION_ROLE_NOT_ALLOWED");
		for (const { browser } of [member, foreign])
			refused(await askInvite(browser, tenant, newPerson()), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		refused(await askInvite(place.visitor(), tenant, newPerson()), 401, "TENANT_MANAGEMENT_UNAUTHORIZED");
	}),
	// threat 113
	"INV-4": check("demotes, bans and removes admins who invited", async (world) => {
		const place = world.at("admin");
		const [tenant] = await twoTenants(place);
		for (const [path, fields] of [["set-role", { role: "member" }], ["ban"], ["remove"]] as const) {
			const admin = await join(world, place, tenant, "admin");
			const { person, token } = await invite(world, admin.browser, tenant);
			const body = { tenantId: tenant.id, userId: admin.user.id, ...fields };
			assert.equal((await place.operator.post(`/tenant/user/${path}`, { body })).status, 200);
			refused(await askAccept(place.visitor(), token, accountOf(person)), 404, "INVITATION_NOT_FOUND");
		}
	}),
	// threat 112
	"INV-5": check("accepts as a user with another address, and with one that is not verified", async (world) => {
		const place = world.at("admin");
		const [tenant] = await twoTenants(place);
		const { person, token } = await invite(world, place.operator, tenant, "admin");
		const other = await join(world, place, tenant, "member");
		refused(await askAccept(other.browser, token), 403, "INVITATION_EMAIL_MISMATCH");
		refused(await askAccept(place.visitor(), token), 401, "INVITATION_SIGN_IN_REQUIRED");
		const squatter = place.visitor();
		assert.equal((await askSignUp(squatter, tenant, person)).status, 200);
		refused(await askAccept(squatter, token), 403, "INVITATION_EMAIL_NOT_VERIFIED");
		refused(await askAccept(place.visitor(), token, accountOf(person)), 401, "INVITATION_SIGN_IN_REQUIRED");
	}),
	// threat 113
	"INV-6": check("revokes and invites one address again and again", async (world) => {
		const place = world.at("admin");
		const [tenant, neighbor] = await twoTenants(place);
		const person = newPerson();
		for (let sent = 0; sent < 3; sent++) {
			const { id } = ok(await askInvite(place.operator, tenant, person), invitationShape);
			ok(await askChange(place.operator, "revoke", tenant, id), successShape);
		}
		refused(await askInvite(place.operator, tenant, person), 429, "TOO_MANY_INVITATION_MAILS");
		ok(await askInvite(place.operator, neighbor, person), invitationShape);
	}),
} satisfies Checks;
