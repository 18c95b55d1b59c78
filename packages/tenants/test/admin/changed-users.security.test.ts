import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { admin } from "better-auth/plugins/admin";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import { createAdministered } from "./support/administered.ts";

const points = { type: "number" as const, defaultValue: 0, input: false as const };

/** A plugin that writes what a request sends. */
const writing = (): BetterAuthPlugin => ({
	id: "writing",
	endpoints: {
		write: createAuthEndpoint(
			"/write",
			{ method: "POST", body: z.object({ method: z.string(), id: z.string(), role: z.string().optional() }) },
			async (ctx) => {
				const { method, id, role } = ctx.body;
				const query = { model: "user", where: [{ field: "id", value: id }] };
				const { adapter } = ctx.context;
				if (method === "updateMany") await adapter.updateMany({ ...query, update: { name: "Changed", role } });
				else await adapter.incrementOne({ ...query, increment: { points: 1 }, set: { name: "Changed", role } });
				return ctx.json({ done: true });
			},
		),
	},
});

describe("a request of a plugin", () => {
	// threat 111
	it.each(["updateMany", "incrementOne"])("sets no role with %s, and changes other fields", async (method) => {
		const engine = { user: { additionalFields: { points } } };
		const { world, a, b, inA, inB, rolesIn } = await createAdministered({ engine, plugins: [writing()] });
		for (const [tenant, { member }] of [
			[a, inA],
			[b, inB],
		] as const) {
			const refused = await world.call("/write", { tenant, body: { method, id: member.id, role: "owner" } });
			expect([refused.status, refused.code]).toEqual([403, "ROLE_NOT_ASSIGNABLE"]);
		}
		await world.ok("/write", { tenant: a, body: { method, id: inA.member.id } });
		// another tenant's user is not found
		await world.call("/write", { tenant: a, body: { method, id: inB.member.id } });
		expect([(await rolesIn(a))[inA.member.email], (await rolesIn(b))[inB.member.email]]).toEqual(["member", "member"]);
		const named = await world.database.query(`select "id" from "user" where "name" = 'Changed'`);
		expect(named).toEqual([{ id: inA.member.id }]);
	});
});

describe("a change of a user", () => {
	it("returns 404 if a hook of the application refuses it", async () => {
		const before = async (data: object) => (("banned" in data && data.banned) === true ? false : undefined);
		const engine = { databaseHooks: { user: { update: { before } } } };
		const { world, inA, operate } = await createAdministered({ engine });
		const refused = await operate("ban", inA.member);
		expect([refused.status, refused.code]).toEqual([404, "TENANT_USER_NOT_FOUND"]);
		expect((await operate("set-role", inA.member, { role: "admin" })).status).toBe(200);
		expect((await world.call("/get-session", { browser: inA.member.browser })).json?.user.id).toBe(inA.member.id);
	});

	it("resets no second factor without the plugin that has it", async () => {
		const world = await composedWorld([admin({ ...tenantRoles }), tenantAdmin()], {});
		const browser = await world.signUp(world.a, "ada@example.com");
		const { user } = (await world.ok("/get-session", { browser })).json;
		const body = { tenantId: world.a, userId: user.id };
		const answer = await world.call("/tenant/user/reset-second-factor", { operator: true, body });
		expect([answer.status, answer.code]).toEqual([404, "SECOND_FACTOR_NOT_CONFIGURED"]);
		expect((await world.call("/get-session", { browser })).json?.user.id).toBe(user.id);
	});
});
