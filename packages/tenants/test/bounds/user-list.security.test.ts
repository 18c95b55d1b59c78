import { admin } from "better-auth/plugins/admin";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import { withTenants } from "../../src/index.ts";

const USERS = 100;
/** The most characters of one user in a list, 8,192 of them for the picture. */
const EACH = 9_500;

// threat 154
it("a page of users has 0.5 MB by default and 10 MB at most, whatever they store", async () => {
	const world = await createWorld({
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY], transfer: true } }, [
			admin({ ...tenantRoles }),
			tenantAdmin(),
		]),
	});
	for (const tenantId of [await world.newTenant(), await world.newTenant()]) {
		// all that fits into the fields
		const users = Array.from({ length: USERS }, (_, at) => ({
			email: `${at}@${"x".repeat(60)}.${"x".repeat(60)}.${"x".repeat(60)}.example.com`,
			name: "x".repeat(255),
			image: "x".repeat(8_192),
		}));
		const imported = await world.call("/tenant/import-users", { operator: true, body: { tenantId, users } });
		expect(imported.json).toMatchObject({ imported: USERS, refused: [] });
		const list = (query: Record<string, string>) =>
			world.call("/tenant/user/list", { operator: true, query: { tenantId, ...query } });
		for (const [query, most] of [
			[{}, 50],
			[{ limit: "100" }, USERS],
		] as const) {
			const page = await list(query);
			expect(page.json).toHaveLength(most);
			expect(page.text.length).toBeLessThan(most * EACH);
		}
		expect((await list({ limit: "1001" })).status).toBe(400);
	}
});
