import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { LIFECYCLE_ERROR_CODES } from "../../errors/lifecycle-error-codes.ts";
import { closeTenant } from "./close-tenant.ts";
import { restoreTenant } from "./restore-tenant.ts";
import { LIFECYCLE_SCHEMA } from "./schema.ts";

/**
 * Lets operators suspend, archive and restore tenants: `POST /tenant/suspend`, `/tenant/archive` and `/tenant/restore`. Requests
 * of a tenant that is not active return 403. Put it after `tenantAuth()`. Adds five columns to the table of tenants, and no
 * query to a request.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: withTenants({ management: { keys } }, [tenantLifecycle()]) });
 * ```
 */
export const tenantLifecycle = () =>
	({
		id: "tenant-lifecycle",
		schema: LIFECYCLE_SCHEMA,
		init: (context: AuthContext) => {
			if (!("tenantAuth" in context))
				throw new BetterAuthError("tenantLifecycle: tenantAuth() must come before it in `plugins`. Use withTenants.");
		},
		endpoints: {
			suspendTenant: closeTenant({ path: "/tenant/suspend", verb: "suspend", status: "suspended" }),
			archiveTenant: closeTenant({ path: "/tenant/archive", verb: "archive", status: "archived" }),
			restoreTenant: restoreTenant(),
		},
		$ERROR_CODES: LIFECYCLE_ERROR_CODES,
	}) satisfies BetterAuthPlugin;
