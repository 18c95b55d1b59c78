import { createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { PLATFORM, runWithTenant } from "../../src/index.ts";

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
		expect(() => runWithTenant("a:b", () => 1)).toThrow("tenant id");
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
