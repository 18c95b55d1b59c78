import { admin } from "better-auth/plugins/admin";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import { lifecycleWorld } from "../lifecycle/support/lifecycle-world.ts";

describe("the users of a suspended tenant", () => {
	// threat 107
	it("are read by operators, and by nobody of the tenant or its neighbor", async () => {
		const world = await lifecycleWorld([admin({ ...tenantRoles }), tenantAdmin()]);
		const { a, b, call } = world;
		const [owner, neighbor] = [await world.signUp(a, "ada@example.com"), await world.signUp(b, "ada@example.com")];
		await world.database.query(`update "user" set "role" = 'owner'`);
		const userId = String((await call("/get-session", { browser: owner })).json.user.id);
		await world.suspend(a);
		const paths = [`/tenant/user/list?tenantId=${a}`, `/tenant/user/get?tenantId=${a}&userId=${userId}`];
		for (const path of paths) {
			const read = await call(path, { operator: true });
			expect([path, read.status]).toEqual([path, 200]);
			expect(read.text).toContain("ada@example.com");
			for (const browser of [owner, neighbor]) {
				const refused = await call(path, { browser });
				expect([path, refused.status >= 401 && refused.status <= 403]).toEqual([path, true]);
			}
		}
		const body = { tenantId: a, userId, role: "member" };
		expect((await call("/tenant/user/set-role", { operator: true, body })).code).toBe("TENANT_SUSPENDED");
	});
});

describe("what operators note about a tenant", () => {
	it("is not for its admins, nor for its neighbor", async () => {
		const world = await lifecycleWorld([admin({ ...tenantRoles }), tenantAdmin()]);
		const { a, b, call } = world;
		await call("/tenant/update", { operator: true, body: { tenantId: a, metadata: { note: "watch closely" } } });
		await world.suspend(a, { reason: "fraud case 7" });
		await call("/tenant/restore", { operator: true, body: { tenantId: a, reason: "fraud case 7 is closed" } });
		const [owner, neighbor] = [await world.signUp(a, "ada@example.com"), await world.signUp(b, "ada@example.com")];
		await world.database.query(`update "user" set "role" = 'owner'`);
		const get = `/tenant/get?id=${a}`;

		const { json: seen } = await call(get, { operator: true });
		expect(seen.metadata).toEqual({ note: "watch closely" });
		expect(seen.lifecycle).toMatchObject({ status: "active", reason: "fraud case 7 is closed" });
		const { json: shown } = await call(get, { browser: owner });
		const lifecycle = { ...Object(seen.lifecycle), reason: null, by: null };
		expect(shown).toEqual({ ...seen, metadata: null, lifecycle });
		expect((await call(get, { browser: neighbor })).status).toBe(403);
	});
});
