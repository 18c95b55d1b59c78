import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { withTenants } from "../../../src/index.ts";

/** Tenant users whose email begins with `admin` may manage their own tenant. */
export const managedWorld = async (plugins: BetterAuthPlugin[], engine: Partial<BetterAuthOptions>) => {
	const world = await createWorld({
		engine,
		allPlugins: withTenants(
			{
				management: {
					keys: [MANAGEMENT_KEY],
					authorize: ({ session, tenantId }) =>
						session?.session.tenantId === tenantId && String(session?.user.email).startsWith("admin"),
				},
				deletion: { drainTime: 0 },
			},
			plugins,
		),
	});
	return { ...world, a: await world.newTenant("acme") };
};
