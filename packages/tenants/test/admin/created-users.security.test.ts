import type { BetterAuthPlugin } from "better-auth";
import { describe, expect, it } from "vitest";
import { createRightsWorld } from "../rights/support/rights-world.ts";
import { createAdministered } from "./support/administered.ts";

const create = (tenantId: string, more: object = {}) => ({
	operator: true as const,
	body: { tenantId, email: "new@example.com", name: "New", ...more },
});

/** Finds no user by email in a transaction, as if a sign-up with the same email came right after. */
const blind = (): BetterAuthPlugin => ({
	id: "blind",
	init: ({ adapter }) => {
		const { transaction } = adapter;
		adapter.transaction = (run) =>
			transaction((inside) =>
				run({
					...inside,
					findOne: async <Found>(query: Parameters<typeof inside.findOne>[0]) =>
						query.where.some(({ field }) => field === "email") ? null : inside.findOne<Found>(query),
				}),
			);
	},
});

describe("POST /tenant/user/create", () => {
	it.each([
		["short", 7],
		["long", 129],
	])("rejects a password that is too %s, and creates nobody", async (_, length) => {
		const { world, a, b, rolesIn } = await createAdministered();
		const answer = await world.call("/tenant/user/create", create(a, { password: "p".repeat(length) }));
		expect([answer.status, answer.code]).toEqual([400, "INVALID_PASSWORD_LENGTH"]);
		await world.ok("/tenant/user/create", create(b, { password: "p".repeat(8) }));
		expect([await rolesIn(a), await rolesIn(b)].map((roles) => roles["new@example.com"])).toEqual([
			undefined,
			"member",
		]);
	});

	it.each(["sqlite", "postgres", "mysql"] as const)(
		"rejects an email that was taken meanwhile, on %s",
		async (database) => {
			const { world, a, b, inA } = await createAdministered({ database, plugins: [blind()] });
			await world.ok("/tenant/user/create", create(a));
			const taken = await world.call("/tenant/user/create", create(a, { password: "another password" }));
			expect([taken.status, taken.code]).toEqual([409, "TENANT_USER_EXISTS"]);
			await world.ok("/tenant/user/create", create(b));
			const users = await world.database.query(`select "tenantId" from "user" where "email" = 'new@example.com'`);
			expect(users.map(({ tenantId }) => tenantId).sort()).toEqual([a, b].sort());
			const accounts = await world.database.query(`select "userId", "tenantId" from "account"`);
			const signedUp = Object.values(inA).map(({ id }) => id);
			const own = accounts.filter(({ tenantId }) => tenantId === a).map(({ userId }) => String(userId));
			expect(own.sort()).toEqual(signedUp.sort());
		},
	);

	// threat 111
	it("creates nobody once the admin who asked for it is an admin no more", async () => {
		const { world, a, b, inA, inB, holdWhile, operate, rolesIn } = await createRightsWorld();
		const ask =
			({ browser }: typeof inA.admin, tenantId: string) =>
			(headers: Record<string, string>) =>
				world.call("/tenant/user/create", { browser: browser.copy(), headers, body: create(tenantId).body });
		const demote = () => operate("set-role", inA.admin, { role: "member" });
		const refused = await holdWhile(ask(inA.admin, a), demote);
		expect([refused.status, refused.code]).toEqual([403, "TENANT_MANAGEMENT_NOT_ALLOWED"]);
		expect((await holdWhile(ask(inB.admin, b), demote)).status).toBe(200);
		expect([await rolesIn(a), await rolesIn(b)].map((roles) => roles["new@example.com"])).toEqual([
			undefined,
			"member",
		]);
	});
});
