import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";
import { growUnnoticed, holdTable, planOf } from "../database/support/grown-tenant.ts";
import { recordStatements } from "../database/support/record-statements.ts";

const BATCH = 250;

// threats 44 and 63
it("deleting a tenant that has just grown finds each batch by its ids, and names the tenant, on postgres", async () => {
	const world = await createWorld({ database: "postgres" });
	const [stays, gone] = [await world.newTenant(), await world.newTenant()];
	const users = await growUnnoticed(world.database.query, { known: stays, grown: gone });
	const recorder = recordStatements(world.database.connection);
	const held = await holdTable(world.database.connection, "user");

	const deletion = world.call("/tenant/delete", { operator: true, body: { tenantId: gone } });
	const batch = await recorder.until((text) => text.startsWith('delete from "user"'));
	expect(await planOf(held.client, batch)).toEqual({ by: ["user_pkey"], discarded: 0 });
	expect(batch.values.slice(BATCH)).toEqual([gone, `%${gone} %`]);
	// with a plain condition, PostgreSQL reads the whole tenant
	const text = 'delete from "user" where "id" = any ($1::text[]) and "tenantId" = $2';
	const plain = await planOf(held.client, { text, values: [batch.values.slice(0, BATCH), gone] });
	expect(plain.by).not.toContain("user_pkey");
	expect(plain.discarded).toBe(users - BATCH);

	await held.release();
	expect((await deletion).json).toEqual({ success: true });
	const left = await world.database.query('select "tenantId", count(*)::int as n from "user" group by 1');
	expect(left).toEqual([{ tenantId: stays, n: users }]);
	// ids are found for many batches at once: two searches of the sweep that finds some, one of the other
	const sent = (part: string) => world.database.statements.filter((text) => text.includes(part)).length;
	expect([sent('delete from "user"'), sent('select "id" from "user"')]).toEqual([users / BATCH, 3]);
});
