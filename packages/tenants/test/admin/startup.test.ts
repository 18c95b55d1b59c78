import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { admin } from "better-auth/plugins/admin";
import { Kysely, PostgresDialect } from "kysely";
import type { Pool } from "pg";
import { createDatabase } from "test-kit/databases";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import { withTenants } from "../../src/index.ts";

const start = async (plugins: BetterAuthPlugin[], database?: BetterAuthOptions["database"]): Promise<string> => {
	try {
		await betterAuth({
			baseURL: ORIGIN,
			secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
			logger: { disabled: true },
			plugins,
			...(database ? { database } : {}),
		}).$context;
		return "started";
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

describe("tenantAdmin()", () => {
	it("starts with the admin plugin and its roles, and with more roles", async () => {
		expect(await start(withTenants({}, [admin({ ...tenantRoles }), tenantAdmin()]))).toBe("started");
		const roles = { ...tenantRoles.roles, support: tenantRoles.roles.member };
		expect(await start(withTenants({}, [admin({ ...tenantRoles, roles }), tenantAdmin()]))).toBe("started");
	});

	it("refuses to start without tenantAuth(), the admin plugin, its roles or its default role", async () => {
		expect(await start([admin({ ...tenantRoles }), tenantAdmin()])).toContain("tenantId"); // of the index
		expect(await start(withTenants({}, [tenantAdmin()]))).toContain("requires Better Auth's admin plugin");
		expect(await start(withTenants({}, [admin(), tenantAdmin()]))).toContain("owner, admin, member, user");
		const { defaultRole: _, ...withoutDefault } = tenantRoles;
		expect(await start(withTenants({}, [admin(withoutDefault), tenantAdmin()]))).toContain('must be "member"');
		const asOwner = { ...tenantRoles, defaultRole: "owner" };
		expect(await start(withTenants({}, [admin(asOwner), tenantAdmin()]))).toContain('must be "member"');
	});

	// threat 161
	it("refuses to start on a database without transactions, and says how to turn them on", async () => {
		const own = await createDatabase("postgres");
		const db = new Kysely({ dialect: new PostgresDialect({ pool: own.connection as Pool }) });
		const plugins = () =>
			withTenants({ database: { requireTransactions: false } }, [admin({ ...tenantRoles }), tenantAdmin()]);
		expect(await start(plugins(), { db, type: "postgres" })).toMatch(
			/TENANT_ADMIN_REQUIRES_TRANSACTIONS.*transaction: true/s,
		);
		expect(await start(plugins(), { db, type: "postgres", transaction: true })).toBe("started");
		await own.close();
	});
});
