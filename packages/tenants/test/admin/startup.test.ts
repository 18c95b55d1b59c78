import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { admin } from "better-auth/plugins/admin";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../src/admin.ts";
import { withTenants } from "../../src/index.ts";

const start = async (plugins: BetterAuthPlugin[]): Promise<string> => {
	try {
		await betterAuth({
			baseURL: ORIGIN,
			secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
			logger: { disabled: true },
			plugins,
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
});
