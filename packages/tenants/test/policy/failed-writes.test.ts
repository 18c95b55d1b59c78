import { describe, expect, it } from "vitest";
import { failing, skipping } from "../database/support/refused-writes.ts";
import { policyWorld } from "./support/policy-world.ts";

describe("a change of a policy", () => {
	it("fails if the database does, and is no conflict then", async () => {
		const { a, b, update, set, database, logs, tenantsOf } = await policyWorld();
		await database.query(failing('insert on "tenantPolicy"'));
		expect((await update(a, { minPasswordLength: 12 })).status).toBe(500);
		expect(logs.at(-1)).toContain("the disk is full");
		expect(await tenantsOf("tenantPolicy")).toEqual([]);
		await database.query('drop trigger "failing"');
		for (const tenantId of [a, b]) await set(tenantId, { minPasswordLength: 12 });
	});

	// threat 116
	it("is refused if others change the policy each time", async () => {
		const { a, b, update, set, call, database } = await policyWorld();
		for (const tenantId of [a, b]) await set(tenantId, { minPasswordLength: 12 });
		await database.query(skipping(`update on "tenantPolicy" when new."tenantId" = '${a}'`));
		const refused = await update(a, { minPasswordLength: 9 });
		expect([refused.status, refused.code]).toEqual([409, "POLICY_CHANGED"]);
		await set(b, { minPasswordLength: 9 });
		const rulesOf = async (tenantId: string) =>
			(await call("/tenant/policy/get", { operator: true, query: { tenantId } })).json.own;
		expect([await rulesOf(a), await rulesOf(b)]).toEqual([{ minPasswordLength: 12 }, { minPasswordLength: 9 }]);
	});
});
