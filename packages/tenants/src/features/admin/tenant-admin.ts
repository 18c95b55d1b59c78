import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";
import { asCompanion } from "../../scope/compose/companion.ts";
import { assertTransactions } from "../rights/check-transactions.ts";
import { guardRights } from "../rights/guard-rights.ts";
import { rightsOfActors } from "../rights/rights-of-actors.ts";
import { endOtherSessions } from "../rights/sessions.ts";
import { startRights } from "../rights/start-rights.ts";
import { guardStoredRights } from "../rights/stored-sessions.ts";
import { admitsTenantAdmin } from "./allowed-actions.ts";
import { banTenantUser } from "./ban-user.ts";
import { assertRolesConfigured } from "./check-roles.ts";
import { closeInTenants, isClosedInTenants } from "./close-engine-endpoints.ts";
import { createTenantUser } from "./create-user.ts";
import { deleteUsersInTransaction } from "./delete-in-transaction.ts";
import { endTenantUserSessions } from "./end-user-sessions.ts";
import { eraseTenantUser } from "./erase-user.ts";
import { exportTenantUser } from "./export-user.ts";
import { getTenantUser } from "./get-user.ts";
import { listTenantUsers } from "./list-users.ts";
import { guardOwners } from "./owner-guard.ts";
import { removeTenantUser } from "./remove-user.ts";
import { resetTenantUserSecondFactor } from "./reset-second-factor.ts";
import { adminSchema } from "./schema.ts";
import { setTenantUserRole } from "./set-role.ts";
import { unbanTenantUser } from "./unban-user.ts";

/**
 * Lets tenants manage their own users, with the roles `owner`, `admin` and `member`. Requires Better Auth's `admin` plugin with
 * `tenantRoles`.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: withTenants({}, [admin({ ...tenantRoles }), tenantAdmin()]) });
 * ```
 */
export const tenantAdmin = () =>
	asCompanion(
		{
			id: "tenant-admin",
			schema: adminSchema,
			init: (context: AuthContext) => {
				assertRolesConfigured(context);
				assertTransactions(context);
				deleteUsersInTransaction(context);
				return { options: startRights(context) };
			},
			hooks: {
				before: [{ matcher: isClosedInTenants, handler: closeInTenants }],
				after: [endOtherSessions],
			},
			endpoints: {
				listTenantUsers: listTenantUsers(),
				getTenantUser: getTenantUser(),
				createTenantUser: createTenantUser(),
				setTenantUserRole: setTenantUserRole(),
				banTenantUser: banTenantUser(),
				unbanTenantUser: unbanTenantUser(),
				resetTenantUserSecondFactor: resetTenantUserSecondFactor(),
				endTenantUserSessions: endTenantUserSessions(),
				removeTenantUser: removeTenantUser(),
				exportTenantUser: exportTenantUser(),
				eraseTenantUser: eraseTenantUser(),
			},
			$ERROR_CODES: TENANT_ADMIN_ERROR_CODES,
		} satisfies BetterAuthPlugin,
		{
			admits: admitsTenantAdmin,
			guardUsers: (parts) => {
				const owners = guardOwners(parts);
				const rights = guardRights(parts);
				// the guard of owners locks the tenant first, so it stands outside
				return { ...owners, ...rightsOfActors(parts), wrap: (methods) => owners.wrap(rights(methods)) };
			},
			guardStorage: guardStoredRights,
		},
	);
