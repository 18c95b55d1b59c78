import { expect, it } from "vitest";
import { policyWorld } from "./support/policy-world.ts";

it("rejects fields of a policy that it would ignore", async () => {
	const { a, b, call } = await policyWorld();
	const send = (tenantId: string, more: object) =>
		call("/tenant/policy/update", { operator: true, body: { tenantId, policy: { maxSessions: 1 }, ...more } });
	const refused = await send(a, { maxSessions: 2 });
	expect([refused.status, refused.code]).toEqual([400, "UNKNOWN_FIELD"]);
	expect((await send(b, { force: true })).status).toBe(200);
	const ownRules = async (tenantId: string) =>
		(await call("/tenant/policy/get", { operator: true, query: { tenantId } })).json?.own;
	expect([await ownRules(a), await ownRules(b)]).toEqual([{}, { maxSessions: 1 }]);
});
