import { getAdapter } from "better-auth/db/adapter";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { rowById, rowsById } from "../../src/scope/data/rows-by-id.ts";

/** Ids that begin with, end with or contain another one, or that a pattern or a collation takes for it. */
const TENANTS = ["a_b", "a_b2", "2a_b", "aXb", "A_B", "a-b", "a"];

// threat 95
describe.each([
	["postgres", true],
	["postgres", false],
	["mysql", false],
	["sqlite", false],
] as const)("rows by id on %s (by key only: %s)", (database, byKeyOnly) => {
	it("are the tenant's, also if all ids are another tenant's", async () => {
		const world = await createWorld({ database });
		// MySQL's collation allows only one spelling of an id
		const tenants = [...TENANTS, "platform"].filter((id) => database !== "mysql" || id !== "A_B");
		for (const tenant of tenants)
			await world.database.query(
				`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "tenantId")
				values ('user of ${tenant === "A_B" ? "upper" : tenant}', 'Ada', 'ada@example.com', ${database === "postgres" ? "false" : 0}, '2026-01-01', '2026-01-01', '${tenant}')`,
			);
		const adapter = await getAdapter(world.options);
		const idsOf = async (): Promise<string[]> =>
			(await world.database.query('select "id" from "user"')).map(({ id }) => String(id)).sort();
		const all = await idsOf();

		const deleted = await adapter.deleteMany({ model: "user", where: rowsById("a_b", all, { byKeyOnly }) });

		expect(deleted).toBe(1);
		expect(await idsOf()).toEqual(all.filter((id) => id !== "user of a_b"));
		expect(await adapter.deleteMany({ model: "user", where: rowsById("2a_b", ["user of a"], { byKeyOnly }) })).toBe(0);
		await adapter.delete({ model: "user", where: rowById("a-b", "user of a") });
		expect(await idsOf()).toContain("user of a");
		await adapter.delete({ model: "user", where: rowById("a", "user of a") });
		expect(await idsOf()).not.toContain("user of a");
	});
});
