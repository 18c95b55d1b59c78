import { createWorld, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";

const twoTenants = async (world: World) => {
	const ids = { a: await world.newTenant(), b: await world.newTenant() };
	for (const tenantId of Object.values(ids)) await world.signUp(tenantId, "ada@example.com");
	return ids;
};

const emailOf = (value: string) => [{ field: "email", value }];

describe.each(["sqlite", "postgres", "mysql"] as const)("a method of the scoped adapter on %s", (database) => {
	// threat 65
	it("deletes the tenant's rows, and says how many", async () => {
		const world = await createWorld({ database });
		const { a } = await twoTenants(world);
		const { adapter } = await world.auth.$context;
		const count = async () => Number((await world.database.query('select count(*) as n from "session"'))[0]?.n);
		expect(await count()).toBe(2);
		expect(await runWithTenant(a, () => adapter.deleteMany({ model: "session", where: [] }))).toBe(1);
		expect(await count()).toBe(1);
	});

	it("returns nothing if it changes no row, or asks for no id", async () => {
		const world = await createWorld({ database });
		const { a, b } = await twoTenants(world);
		await world.signUp(b, "grace@example.com");
		const { adapter } = await world.auth.$context;
		await runWithTenant(a, async () => {
			const update = { name: "Eve" };
			expect(await adapter.update({ model: "user", where: emailOf("grace@example.com"), update })).toBeNull();
			const noId = { field: "id", operator: "in" as const, value: [] };
			expect(await adapter.findMany({ model: "user", where: [noId] })).toEqual([]);
			expect(await adapter.findMany({ model: "user", where: [...emailOf("ada@example.com"), noId] })).toEqual([]);
		});
		const names = await world.database.query(`select "name" from "user" where "name" = 'Eve'`);
		expect(names).toEqual([]);
	});
});

describe("a method of the scoped adapter", () => {
	it("counts up a row that references others", async () => {
		const points = { type: "number" as const, defaultValue: 0, input: false as const };
		const world = await createWorld({ engine: { account: { additionalFields: { points } } } });
		const { a, b } = await twoTenants(world);
		const { adapter } = await world.auth.$context;
		const where = [{ field: "providerId", value: "credential" }];
		const counted = await runWithTenant(a, () =>
			adapter.incrementOne({ model: "account", where, increment: { points: 1 } }),
		);
		expect(counted).toMatchObject({ tenantId: a, points: 1 });
		const rows = await world.database.query('select "tenantId", "points" from "account"');
		expect(rows).toContainEqual({ tenantId: b, points: 0 });
	});

	it("finds the rows whose id is not a name", async () => {
		const world = await createWorld();
		const { a, b } = await twoTenants(world);
		const { adapter, internalAdapter } = await world.auth.$context;
		const value = { identifier: "jti:1", value: "x", expiresAt: new Date(Date.now() + 60_000) };
		const not = [{ field: "id", operator: "ne" as const, value: "n".repeat(43) }];
		for (const tenantId of [a, b])
			await runWithTenant(tenantId, async () => {
				await internalAdapter.reserveVerificationValue(value);
				expect(await adapter.findMany({ model: "verification", where: not })).toMatchObject([{ tenantId }]);
			});
	});

	it("changes an id for server code", async () => {
		const world = await createWorld();
		const { a, b } = await twoTenants(world);
		const { adapter } = await world.auth.$context;
		for (const tenantId of [a, b])
			await runWithTenant(tenantId, async () => {
				const dates = { expiresAt: new Date(), createdAt: new Date(), updatedAt: new Date() };
				const data = { identifier: "x", value: "x", ...dates };
				const row = await adapter.create<typeof data & { id: string }>({ model: "verification", data });
				const where = [{ field: "id", value: row.id }];
				const update = { id: `chosen-${tenantId}` };
				expect(await adapter.update({ model: "verification", where, update })).toMatchObject(update);
			});
	});
});
