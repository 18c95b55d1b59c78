import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { contextOf } from "../../src/engine/service.ts";
import { closedTenantsOf } from "../../src/features/tenants/closing.ts";
import { tenantTriggerSteps } from "../../src/index.ts";
import { createClosingWorld } from "./support/closing-world.ts";

describe.each(["postgres", "mysql", "sqlite"] as const)("triggers on %s", (database) => {
	it("are complete after their steps, which can be run again", async () => {
		const { auth, database: stored, ...world } = await createClosingWorld({ database, triggers: false });
		const steps = await tenantTriggerSteps(auth);
		expect(steps.length).toBeGreaterThan(10);
		// twice: an interrupted run begins again
		for (const sql of [...steps, ...steps.filter((step) => !step.startsWith("create table"))]) await stored.query(sql);
		expect(await tenantTriggerSteps(auth)).toEqual([]);
		for (const tenant of [undefined, await world.newTenant(), await world.newTenant()])
			await world.signUp(tenant, "ada@example.com");
	});

	it.each(["uuid", "serial"] as const)("know tenants whose ids are of the kind %s", async (generateId) => {
		const world = await createWorld({
			database,
			engine: { advanced: { disableOriginCheck: false, database: { generateId } } },
			tenantAuth: { management: { keys: [MANAGEMENT_KEY] }, deletion: {} },
		});
		for (const sql of await tenantTriggerSteps(world.auth)) await world.database.query(sql);
		const closed = closedTenantsOf(await contextOf(world.auth));
		expect(await closed.refusesRows()).toBe(true);
		const [gone, stays] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [gone, stays]) await world.signUp(tenant, "ada@example.com");
		const users = async (): Promise<unknown[]> =>
			(await world.database.query('select "tenantId" from "user"')).map(({ tenantId }) => tenantId);
		closed.drainTime = 3_600;
		const answer = await world.call("/tenant/delete", { operator: true, body: { tenantId: gone } });
		expect(answer.json).toEqual({ success: true });
		expect(await users()).toEqual([stays]);
		const late = `insert into "account" ("id", "accountId", "providerId", "userId", "createdAt", "updatedAt", "tenantId") select ${generateId === "serial" ? "99" : `'00000000-0000-4000-8000-000000000000'`}, 'x', 'x', "id", "createdAt", "updatedAt", '${gone}' from "user"`;
		await expect(world.database.query(late)).rejects.toThrow("BETTER_AUTH_TENANT_NOT_OPEN:missing");
	});
});

describe("triggers that cannot be created", () => {
	it("are refused for a database without triggers", async () => {
		const { auth } = await createWorld({ engine: { database: undefined } });
		await expect(tenantTriggerSteps(auth)).rejects.toThrow('cannot have the triggers (adapter "memory")');
	});

	it("are refused before the migration, which creates the tables", async () => {
		const { auth, database } = await createWorld({ database: "postgres" });
		await database.query('drop table "tenantDomain"');
		await expect(tenantTriggerSteps(auth)).rejects.toThrow(
			"there is no table tenantDomain. Run Better Auth's migration",
		);
	});

	it.each(["a name with spaces", "n".repeat(52)])("are refused for the table %s", async (modelName) => {
		const { auth } = await createWorld({ engine: { verification: { modelName } } });
		await expect(tenantTriggerSteps(auth)).rejects.toThrow(`the table "${modelName}" cannot have a trigger`);
	});
});
