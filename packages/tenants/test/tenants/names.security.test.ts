import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";

it.each([
	["an empty name", "  "],
	["a long name", "n".repeat(201)],
	["control characters", "Acme\u0007"],
])("rejects %s of a tenant, and changes nothing", async (_, name) => {
	const world = await createWorld();
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const created = await world.call("/tenant/create", { operator: true, body: { name, slug: "other" } });
	const updated = await world.call("/tenant/update", { operator: true, body: { tenantId: a, name } });
	expect([created.status, created.code, updated.status, updated.code]).toEqual([
		400,
		"INVALID_TENANT_NAME",
		400,
		"INVALID_TENANT_NAME",
	]);
	const rows = await world.database.query(`select "id", "name" from "tenant"`);
	expect(rows.map(({ id, name: kept }) => [id, kept]).sort()).toEqual(
		[
			[a, "Tenant acme"],
			[b, "Tenant globex"],
		].sort(),
	);
});
