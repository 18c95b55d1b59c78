import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { DEFAULT_ROLE, tenantRoles } from "../users/roles.ts";

type AdminOptions = { defaultRole?: unknown; roles?: Record<string, unknown> } | undefined;

const FIX = "Pass the roles to it: admin({ ...tenantRoles }).";

/** Throws unless Better Auth's admin plugin is there and knows the roles of tenants. */
export const assertRolesConfigured = ({ options }: Pick<AuthContext, "options">): void => {
	const admin = options.plugins?.find(({ id }) => id === "admin");
	if (!admin)
		throw new BetterAuthError(
			"tenantAdmin() requires Better Auth's admin plugin. Add it before tenantAdmin(): withTenants(options, [admin({ ...tenantRoles }), tenantAdmin()]).",
		);
	const given: AdminOptions = admin.options;
	const missing = Object.keys(tenantRoles.roles).filter((role) => !given?.roles?.[role]);
	if (missing.length > 0)
		throw new BetterAuthError(`tenantAdmin(): the admin plugin does not know the roles ${missing.join(", ")}. ${FIX}`);
	if (given?.defaultRole !== DEFAULT_ROLE)
		throw new BetterAuthError(`tenantAdmin(): the admin plugin's defaultRole must be "${DEFAULT_ROLE}". ${FIX}`);
};
