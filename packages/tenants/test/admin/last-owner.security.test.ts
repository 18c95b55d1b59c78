import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { moveUsersToTenant, runWithTenant } from "../../src/index.ts";
import { createAdministered } from "./support/administered.ts";

const databases = ["sqlite", "postgres", "mysql"] as const;

// threat 110
describe.each(databases)("the last owner, on %s", (database) => {
	it("stays, whichever way is tried", async () => {
		const { world, a, inA, operate, rolesIn } = await createAdministered({ database });
		const { auth } = world;
		const code = async (run: () => Promise<unknown>): Promise<unknown> =>
			run().then(
				() => "done",
				(error) => error?.body?.code ?? String(error),
			);
		// operators
		for (const [path, more] of [
			["set-role", { role: "admin" }],
			["ban", {}],
			["remove", {}],
			["erase", {}],
		] as const) {
			const refused = await operate(path, inA.owner, more);
			expect([path, refused.status, refused.code]).toEqual([path, 409, "LAST_OWNER"]);
		}
		// the engine's own endpoint, which deletes accounts and sessions first
		const left = await world.call("/delete-user", { browser: inA.owner.browser, body: { password: PASSWORD } });
		expect([left.status, left.code]).toEqual([409, "LAST_OWNER"]);
		// server code in the tenant
		const { adapter, internalAdapter } = await auth.$context;
		const id = inA.owner.id;
		const where = [{ field: "id", value: id }];
		const ways: (() => Promise<unknown>)[] = [
			() => internalAdapter.deleteUser(id),
			() => internalAdapter.updateUser(id, { role: "member" }),
			() => internalAdapter.updateUser(id, { banned: true }),
			() => adapter.delete({ model: "user", where }),
			() => adapter.deleteMany({ model: "user", where: [{ field: "email", value: inA.owner.email }] }),
			() => adapter.updateMany({ model: "user", where: [], update: { role: "member" } }),
			() => adapter.transaction((inside) => inside.update({ model: "user", where, update: { role: "admin" } })),
		];
		for (const way of ways)
			expect([String(way), await code(() => runWithTenant(a, way))]).toEqual([String(way), "LAST_OWNER"]);
		// a move to another tenant
		const to = await world.newTenant("elsewhere");
		expect(await code(() => moveUsersToTenant(auth, { from: a, to, userIds: [id], keepRoles: true }))).toBe(
			"LAST_OWNER",
		);

		// nothing was lost
		expect(await rolesIn(a)).toMatchObject({ [inA.owner.email]: "owner" });
		const body = { email: inA.owner.email, password: PASSWORD };
		expect((await world.call("/sign-in/email", { tenant: a, body })).status).toBe(200);
		expect((await world.call("/get-session", { browser: inA.owner.browser })).json?.user.id).toBe(id);
		// the owner of the other tenant does not count, and a banned owner neither
		await operate("set-role", inA.admin, { role: "owner" });
		expect((await operate("ban", inA.admin)).status).toBe(200);
		expect((await operate("set-role", inA.owner, { role: "member" })).code).toBe("LAST_OWNER");
		expect((await operate("unban", inA.admin)).status).toBe(200);
		expect((await operate("set-role", inA.owner, { role: "member" })).status).toBe(200);
		expect((await operate("remove", inA.admin)).code).toBe("LAST_OWNER");
	});

	it("remains if all owners are demoted, banned and removed at the same time", async () => {
		const { a, inA, join, operate, rolesIn, world } = await createAdministered({ database });
		for (let round = 0; round < 3; round += 1) {
			const owners = [inA.owner, await join(a, `second${round}`, "owner"), await join(a, `third${round}`, "owner")];
			await operate("unban", inA.owner);
			await operate("set-role", inA.owner, { role: "owner" });
			const answers = await Promise.all(
				owners.flatMap((owner) => [operate("set-role", owner, { role: "member" }), operate("ban", owner)]),
			);
			for (const { status } of answers) expect([200, 409]).toContain(status);
			const rows = await world.database.query(`select "email", "role", "banned", "tenantId" from "user"`);
			const active = rows.filter((row) => row.tenantId === a && row.role === "owner" && !row.banned);
			expect(active.length).toBe(1);
			expect(Object.values(await rolesIn(a)).filter((role) => role === "owner").length).toBeGreaterThanOrEqual(1);
			const [last] = active;
			// the next round starts with the first owner again
			if (last?.email !== inA.owner.email) {
				await operate("unban", inA.owner);
				await operate("set-role", inA.owner, { role: "owner" });
			}
			for (const owner of owners.slice(1)) await operate("remove", owner);
		}
	});

	it("is counted in its newest version, also by a transaction that began before", async () => {
		const { world, a, inA, operate, rolesIn } = await createAdministered({ database });
		await operate("set-role", inA.admin, { role: "owner" });
		const { adapter } = await world.auth.$context;
		// a single connection of SQLite cannot have two transactions
		if (database === "sqlite") return;
		const late = runWithTenant(a, () =>
			adapter.transaction(async (inside) => {
				// MySQL takes its snapshot here, with two owners
				await inside.findMany({ model: "user", limit: 10 });
				expect((await operate("set-role", inA.owner, { role: "member" })).status).toBe(200);
				return inside.delete({ model: "user", where: [{ field: "id", value: inA.admin.id }] });
			}),
		);
		await expect(late).rejects.toMatchObject({ body: { code: "LAST_OWNER" } });
		expect(await rolesIn(a)).toMatchObject({ "admin@example.com": "owner", "owner@example.com": "member" });
	});

	it("remains if two owners delete themselves at the same time", async () => {
		const { a, inA, join, world } = await createAdministered({ database });
		const second = await join(a, "second", "owner");
		const leave = (browser: typeof second.browser) =>
			world.call("/delete-user", { browser, body: { password: PASSWORD } });
		const answers = await Promise.all([leave(inA.owner.browser), leave(second.browser)]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
		const rest = answers[0]?.status === 200 ? second : inA.owner;
		// with the account, which the engine deletes before the user
		const body = { email: rest.email, password: PASSWORD };
		expect((await world.call("/sign-in/email", { tenant: a, body })).status).toBe(200);
	});
});

describe("a tenant without owners", () => {
	it("can remove its users, and can be deleted with its last owner", async () => {
		const { world, a, inA, operate } = await createAdministered();
		const empty = await world.newTenant("ownerless");
		const browser = await world.signUp(empty, "alone@example.com");
		const { user } = (await world.ok("/get-session", { browser })).json;
		expect((await operate("remove", user, {}, empty)).status).toBe(200);
		expect((await world.call("/tenant/delete", { operator: true, body: { tenantId: a } })).status).toBe(200);
		expect(await world.tablesWith(a)).toEqual([]);
		expect(inA.owner.id).toBeDefined();
	});
});
