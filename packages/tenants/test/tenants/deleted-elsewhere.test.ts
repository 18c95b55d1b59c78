import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";

it("the tenant of a page is not found if another process has just deleted it", async () => {
	const world = await createWorld();
	const [gone, stays] = [await world.newTenant(), await world.newTenant()];
	const current = (tenant: string) => world.call("/tenant/current", { tenant });
	// this process knows that both are open
	for (const tenant of [gone, stays]) await world.call("/get-session", { tenant });
	await world.database.query(`delete from "tenant" where "id" = '${gone}'`);
	const answer = await current(gone);
	expect([answer.status, answer.code]).toEqual([404, "TENANT_NOT_FOUND"]);
	expect((await current(stays)).json.id).toBe(stays);
});
