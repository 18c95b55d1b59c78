import { betterAuth } from "better-auth";
import { createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { currentTenantId, PLATFORM, runWithTenant } from "../../src/index.ts";

describe("runWithTenant", () => {
	it("scopes Better Auth's calls and adapters for server code without a request", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [a, b]) await world.signUp(tenantId, "ada@example.com");
		const { internalAdapter, adapter } = await world.auth.$context;
		const found = await runWithTenant(a, () => internalAdapter.findUserByEmail("ada@example.com"));
		expect((found?.user as { tenantId?: string } | undefined)?.tenantId).toBe(a);
		expect(await runWithTenant(b, () => adapter.count({ model: "user" }))).toBe(1);
		expect(await internalAdapter.findUserByEmail("ada@example.com")).toBeNull();
		expect(await runWithTenant(PLATFORM, () => adapter.count({ model: "user" }))).toBe(0);

		const made = await runWithTenant(b, () =>
			world.auth.api.signUpEmail({ body: { name: "Grace", email: "grace@example.com", password: PASSWORD } }),
		);
		expect((made.user as { tenantId?: string }).tenantId).toBe(b);
	});

	it("rejects missing tenants and invalid ids", async () => {
		const world = await createWorld();
		await expect(
			runWithTenant("nobody", () =>
				world.auth.api.signUpEmail({ body: { name: "x", email: "x@example.com", password: PASSWORD } }),
			),
		).rejects.toMatchObject({
			body: { code: "TENANT_NOT_FOUND" },
		});
		// uses no database, so only the scope of the call can reject it
		await expect(runWithTenant("nobody", () => world.auth.api.ok())).rejects.toMatchObject({
			body: { code: "TENANT_NOT_FOUND" },
		});
		expect(() => runWithTenant("a:b", () => 1)).toThrow("tenant id");
	});

	// threat 44
	it.each([
		["sqlite", { database: "sqlite" }],
		["postgres with Redis", { database: "postgres", redis: true }],
	] as const)(
		"reads and writes nothing in a tenant that does not exist or is closed, on %s",
		async (_name, options) => {
			const world = await createWorld({ ...options, tenantAuth: { tenantCache: { maxAge: 0 } } });
			const [closed, open] = [await world.newTenant("closed"), await world.newTenant("open")];
			for (const tenantId of [closed, open]) await world.signUp(tenantId, "ada@example.com");
			await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${closed}'`);
			const { internalAdapter, adapter, secondaryStorage } = await world.auth.$context;
			const user = { name: "Eve", email: "eve@example.com", emailVerified: false };
			const where = [{ field: "email", value: "ada@example.com" }];
			const count = async () => (await world.database.query('select count(*) as n from "user"'))[0]?.n;
			const [users, keys] = [await count(), (await world.redisKeys()).length];
			const uses: (() => unknown)[] = [
				() => internalAdapter.createUser(user, { method: "admin" }),
				() => internalAdapter.findUserByEmail("ada@example.com"),
				() => adapter.create({ model: "user", data: user }),
				() => adapter.findOne({ model: "user", where }),
				() => adapter.findMany({ model: "user" }),
				() => adapter.count({ model: "user" }),
				() => adapter.update({ model: "user", where, update: { name: "Eve" } }),
				() => adapter.updateMany({ model: "user", where, update: { name: "Eve" } }),
				() => adapter.delete({ model: "user", where }),
				() => adapter.deleteMany({ model: "user", where }),
				() => adapter.transaction(async (inside) => inside.count({ model: "user" })),
				() => secondaryStorage?.set("key", "value"),
				() => secondaryStorage?.get("key"),
			];
			for (const tenantId of [closed, "a-typo"])
				for (const use of secondaryStorage ? uses : uses.slice(0, -2))
					await expect((async () => runWithTenant(tenantId, use))(), `${tenantId}: ${use}`).rejects.toMatchObject({
						body: { code: "TENANT_NOT_FOUND" },
					});
			expect([await count(), (await world.redisKeys()).length]).toEqual([users, keys]);
			for (const use of uses.slice(1, 2)) expect(await runWithTenant(open, use)).not.toBeNull();
			expect(await runWithTenant(PLATFORM, () => adapter.count({ model: "user" }))).toBe(0);
		},
	);

	// threat 44
	it("accepts the slug of an open tenant", async () => {
		const world = await createWorld({ tenantAuth: { tenantCache: { maxAge: 0 } } });
		const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
		for (const tenantId of [a, b]) await world.signUp(tenantId, "ada@example.com");
		const { internalAdapter } = await world.auth.$context;
		const find = (slug: string) =>
			runWithTenant({ auth: world.auth, slug }, () => internalAdapter.findUserByEmail("ada@example.com"));
		expect((await find("acme"))?.user).toMatchObject({ tenantId: a });
		expect((await find("globex"))?.user).toMatchObject({ tenantId: b });
		expect(await runWithTenant({ auth: world.auth, slug: "acme" }, () => currentTenantId())).toBe(a);
		await world.call("/tenant/update", { operator: true, body: { tenantId: a, slug: "moved" } });
		await world.call("/tenant/update", { operator: true, body: { tenantId: b, slug: "acme" } });
		expect((await find("acme"))?.user).toMatchObject({ tenantId: b });
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${b}'`);
		for (const slug of ["acme", "globex", "Moved", "a b", ""])
			await expect(find(slug)).rejects.toMatchObject({ body: { code: "TENANT_NOT_FOUND" } });
		const bare = betterAuth({ logger: { disabled: true } });
		await expect(runWithTenant({ auth: bare, slug: "acme" }, () => 1)).rejects.toThrow("no tenantAuth()");
	});

	it("checks the tenant as often as requests do", async () => {
		const world = await createWorld({ tenantAuth: { tenantCache: { maxAge: 60 } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [a, b]) await world.signUp(tenantId, "ada@example.com");
		const { adapter } = await world.auth.$context;
		world.database.statements.length = 0;
		for (let n = 0; n < 5; n += 1) await runWithTenant(a, () => adapter.count({ model: "user" }));
		expect(world.database.statements.length).toBe(5);
	});

	// threat 53
	it("isolates parallel scopes", async () => {
		const world = await createWorld({ database: "postgres" });
		const ids = await Promise.all(Array.from({ length: 5 }, () => world.newTenant()));
		for (const id of ids) await world.signUp(id, "ada@example.com");
		const { internalAdapter } = await world.auth.$context;
		const seen = await Promise.all(
			Array.from({ length: 200 }, async (_, n) => {
				const tenantId = ids[n % 5] ?? "";
				const found = await runWithTenant(tenantId, () => internalAdapter.findUserByEmail("ada@example.com"));
				return { ...found?.user, expected: tenantId };
			}),
		);
		for (const user of seen) expect(user).toMatchObject({ tenantId: user.expected });
	});
});
