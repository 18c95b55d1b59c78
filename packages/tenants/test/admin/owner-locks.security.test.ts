import { admin } from "better-auth/plugins/admin";
import type { Pool } from "pg";
import { composedWorld } from "test-kit/composed-world";
import { expect, it, vi } from "vitest";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import { runWithTenant } from "../../src/index.ts";

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

// threat 110
it("a change of an owner waits for other changes in the tenant before it locks owners, on postgres", async () => {
	const world = await composedWorld([admin({ ...tenantRoles }), tenantAdmin()], { database: "postgres" });
	const { a, b, database } = world;
	for (const email of ["ada@example.com", "grace@example.com"]) await world.signUp(a, email);
	await world.signUp(b, "ada@example.com");
	await database.query(`update "user" set "role" = 'owner'`);
	const { internalAdapter } = await world.auth.$context;
	const client = await (database.connection as Pool).connect();
	await client.query("begin");
	await client.query(`select 1 from "tenant" where "id" = '${a}' for update`);
	let isDone = false;
	const demoting = runWithTenant(a, () => internalAdapter.updateUserByEmail("ada@example.com", { role: "member" }));
	const ending = demoting.finally(() => {
		isDone = true;
	});
	await vi.waitFor(async () => expect(isDone || (await database.query(WAITING)).length > 0).toBe(true), 60_000);
	expect(isDone).toBe(false);
	// two changes would otherwise each hold an owner that the other needs
	const owners = await client.query(`select 1 from "user" where "role" = 'owner' for update nowait`);
	expect(owners.rowCount).toBe(3);
	await client.query("commit");
	client.release();
	await ending;
	const left = await database.query(`select "tenantId" from "user" where "role" = 'owner'`);
	expect(left.map(({ tenantId }) => tenantId).sort()).toEqual([a, b].sort());
});
