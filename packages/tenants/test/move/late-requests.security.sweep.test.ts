import { apiKey } from "@better-auth/api-key";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { moveUsersToTenant, runWithTenant, withTenants } from "../../src/index.ts";

describe.each([
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["postgres with Redis", { database: "postgres", redis: true }],
] as const)("a request that ends after its user moved on %s", (_name, options) => {
	// threat 85
	it("leaves no session behind, and its other rows follow the user", async () => {
		const world = await createWorld({
			...options,
			allPlugins: withTenants(
				{ management: { keys: [MANAGEMENT_KEY] }, tenantCache: { maxAge: 1 }, deletion: { drainTime: 1 } },
				[apiKey()],
			),
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const browser = await world.signUp(a, "ada@example.com");
		const { id } = (await world.call("/get-session", { browser })).json.user;
		const neighbor = await world.signUp(a, "grace@example.com");
		const { adapter, internalAdapter } = await world.auth.$context;

		// requests that read the user in the old tenant before the move, and write after it
		let token = "";
		const result = await moveUsersToTenant(world.auth, {
			from: a,
			to: b,
			userIds: [id],
			onProgress: async () => {
				await world.database.query(`update "user" set "tenantId" = '${a}' where "id" = '${id}'`);
				await runWithTenant(a, async () => {
					token = (await internalAdapter.createSession(id)).token;
					await adapter.create({
						model: "apikey",
						data: {
							configId: "default",
							referenceId: id,
							key: "the hash of a key",
							createdAt: new Date(),
							updatedAt: new Date(),
						},
					});
				});
				await world.database.query(`update "user" set "tenantId" = '${b}' where "id" = '${id}'`);
			},
		});
		expect([result.moved, result.collisions]).toEqual([1, []]);
		expect(token).not.toBe("");
		expect(await runWithTenant(a, () => internalAdapter.findSession(token))).toBeNull();
		expect(await runWithTenant(a, () => internalAdapter.listSessions(id))).toEqual([]);
		const keys = await world.database.query('select "tenantId" from "apikey"');
		expect(keys.map(({ tenantId }) => tenantId)).toEqual([b]);
		expect((await world.redisKeys()).filter((key) => key.includes(id))).toEqual([]);
		expect((await world.call("/get-session", { browser: neighbor })).json.session.tenantId).toBe(a);
	});
});
