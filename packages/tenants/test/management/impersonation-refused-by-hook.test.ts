import { expect, it } from "vitest";
import { createImpersonable } from "./impersonating.ts";

it("a session that a hook of the application refuses is not created, and the response says so", async () => {
	let refuses = false;
	const before = async () => (refuses ? false : undefined);
	const { world, impersonate, a, b, neighborId } = await createImpersonable({
		engine: { databaseHooks: { session: { create: { before } } } },
	});
	const sessions = () => world.database.query(`select "id" from "session" where "tenantId" in ('${a}', '${b}')`);
	refuses = true;
	for (const body of [{}, { tenantId: b, userId: neighborId }]) {
		const answer = await impersonate({ operator: true }, body);
		expect([answer.status, answer.code]).toEqual([500, "FAILED_TO_CREATE_SESSION"]);
	}
	expect(await sessions()).toHaveLength(2);
	refuses = false;
	expect((await impersonate()).status).toBe(200);
	expect(await sessions()).toHaveLength(3);
});
