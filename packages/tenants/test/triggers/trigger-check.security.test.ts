import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { contextOf } from "../../src/engine/service.ts";
import { closedTenantsOf } from "../../src/features/tenants/closing.ts";
import { tenantTriggerSteps } from "../../src/index.ts";
import { createClosingWorld } from "./support/closing-world.ts";

const OFF = {
	postgres: {
		missing: ['drop trigger "session_tenant_open" on "session"'],
		disabled: ['alter table "session" disable trigger "session_tenant_open"'],
		changed: [
			`create or replace function "session_tenant_open"() returns trigger language plpgsql as 'begin return null; end'`,
		],
		"without the lock of the tenant": ['drop trigger "tenant_closes" on "tenant"'],
	},
	mysql: {
		missing: ['drop trigger "session_tenant_open"'],
		changed: [
			'drop trigger "session_tenant_open"',
			'create trigger "session_tenant_open" before insert on "session" for each row set new."tenantId" = new."tenantId"',
		],
		"without the copy of the status": ['drop trigger "tenant_status_update"'],
	},
	sqlite: {
		missing: ['drop trigger "session_tenant_open"'],
		changed: [
			'drop trigger "session_tenant_open"',
			'create trigger "session_tenant_open" before insert on "session" begin select 1; end',
		],
	},
};

const cases = Object.entries(OFF).flatMap(([database, ways]) =>
	Object.entries(ways).map(([how, statements]) => [how, database as keyof typeof OFF, statements] as const),
);

describe("a deletion", () => {
	// threat 44
	it.each(cases)("waits if a trigger is %s on %s, and not after the steps", async (_, database, statements) => {
		const world = await createClosingWorld({ database });
		const closed = closedTenantsOf(await contextOf(world.auth));
		expect(await closed.refusesRows()).toBe(true);
		for (const sql of statements) await world.database.query(sql);
		expect(await closed.refusesRows()).toBe(false);
		for (const sql of await tenantTriggerSteps(world.auth)) await world.database.query(sql);
		expect(await closed.refusesRows()).toBe(true);
	});

	// threats 43 and 44
	it.each([
		["a secondary storage", { redis: true, tenantAuth: {} }],
		["a drain time of its own", { tenantAuth: { deletion: { drainTime: 60 } } }],
	])("waits with %s, whatever the database refuses", async (_, { tenantAuth, ...where }) => {
		const world = await createWorld({
			database: "postgres",
			...where,
			tenantAuth: { deletion: {}, ...tenantAuth, management: { keys: [MANAGEMENT_KEY] } },
		});
		for (const sql of await tenantTriggerSteps(world.auth)) await world.database.query(sql);
		expect(await tenantTriggerSteps(world.auth)).toEqual([]);
		const closed = closedTenantsOf(await contextOf(world.auth));
		expect(await closed.refusesRows()).toBe(false);
	});

	it.each(["postgres", "mysql", "sqlite"] as const)("does not wait on %s with triggers", async (database) => {
		const world = await createClosingWorld({ database });
		const closed = closedTenantsOf(await contextOf(world.auth));
		closed.drainTime = 3_600;
		const [gone, stays] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [gone, stays]) await world.signUp(tenant, "ada@example.com");
		const kept = await world.rowsOf(stays);
		expect((await world.operate("delete", gone)).json).toEqual({ success: true });
		expect([await world.rowsOf(gone), await world.rowsOf(stays)]).toEqual([{}, kept]);
	});
});
