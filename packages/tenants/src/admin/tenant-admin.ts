import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { servicesOf } from "../services.ts";
import { assertRolesConfigured } from "./check-roles.ts";

/**
 * Lets tenants manage their own users, with the roles `owner`, `admin` and `member`. Requires Better Auth's `admin` plugin with
 * `tenantRoles`.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: withTenants(options, [admin({ ...tenantRoles }), tenantAdmin()]) });
 * ```
 */
export const tenantAdmin = () =>
	({
		id: "tenant-admin",
		init: (context: AuthContext): void => {
			// throws without tenantAuth(), which has to start before
			servicesOf({ context });
			assertRolesConfigured(context);
		},
	}) satisfies BetterAuthPlugin;
