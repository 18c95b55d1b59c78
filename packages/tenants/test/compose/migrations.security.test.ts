import { betterAuth } from "better-auth";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAuth } from "../../src/index.ts";

describe.each(["postgres", "mysql"] as const)("on %s", (database) => {
	// threat 46
	it("keeps tenants closed while `tenantId` can be null, because unique indexes ignore null", async () => {
		const world = await createWorld({ database });
		const logs: string[] = [];
		const again = () =>
			betterAuth({
				...world.options,
				logger: { log: (_level, message) => logs.push(message) },
				plugins: [tenantAuth({ management: { keys: [MANAGEMENT_KEY] } })],
			});
		const tenant = await again().api.createTenant({ body: { name: "Acme", slug: "acme" } });
		const ask = () => again().api.getSession({ headers: new Headers({ "x-tenant-id": tenant.id }) });
		expect(await ask()).toBeNull();
		await world.database.query(
			database === "postgres"
				? 'alter table "user" alter column "tenantId" drop not null'
				: 'alter table "user" modify "tenantId" varchar(191) null',
		);
		await expect(ask()).rejects.toMatchObject({ body: { code: "DATABASE_NOT_ISOLATED" } });
		expect(logs.join("\n")).toMatch(/user\.tenantId can be null.*NOT NULL/);
	});
});
