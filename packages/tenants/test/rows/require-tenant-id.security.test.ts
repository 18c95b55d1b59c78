import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { PLATFORM, runWithTenant } from "../../src/index.ts";
import { requireTenantId } from "../../src/rows.ts";

const codeOf = (fn: () => unknown): unknown => {
	try {
		return fn();
	} catch (error) {
		return (error as { body?: { code?: string } }).body?.code;
	}
};

describe("requireTenantId", () => {
	// threat 103
	it("throws without a tenant and on the platform, unless the platform is allowed", () => {
		expect(codeOf(requireTenantId)).toBe("ROW_TENANT_REQUIRED");
		expect(codeOf(() => requireTenantId({ allowPlatform: true }))).toBe("ROW_TENANT_REQUIRED");
		expect(codeOf(() => runWithTenant(PLATFORM, () => requireTenantId()))).toBe("ROW_TENANT_IS_PLATFORM");
		expect(runWithTenant(PLATFORM, () => requireTenantId({ allowPlatform: true }))).toBe(PLATFORM);
		for (const tenant of ["a", "b"]) expect(runWithTenant(tenant, () => requireTenantId())).toBe(tenant);
	});

	it("returns the tenant of the request in hooks", async () => {
		const seen: unknown[] = [];
		const note = async () => void seen.push(codeOf(requireTenantId));
		const world = await createWorld({ engine: { databaseHooks: { user: { create: { after: note } } } } });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [a, b]) await world.signUp(tenant, "ada@example.com");
		expect(seen).toEqual([a, b]);
	});
});
