import type { BetterAuthClientPlugin } from "better-auth/client";
import type { tenantAdmin } from "./admin/tenant-admin.ts";
import { TENANT_ADMIN_ERROR_CODES } from "./tenant-admin-error-codes.ts";

/**
 * The client plugin of `tenantAdmin()`. It adds `authClient.tenant.user.list(…)`, `authClient.tenant.user.setRole(…)` and so on.
 *
 * @example
 * ```ts
 * const authClient = createAuthClient({ plugins: [tenantAuthClient(), tenantAdminClient()] });
 * ```
 */
export const tenantAdminClient = () =>
	({
		id: "tenant-admin-client",
		$InferServerPlugin: {} as ReturnType<typeof tenantAdmin>,
		$ERROR_CODES: TENANT_ADMIN_ERROR_CODES,
		pathMethods: {
			"/tenant/user/list": "GET",
			"/tenant/user/get": "GET",
			"/tenant/user/export": "GET",
		},
	}) satisfies BetterAuthClientPlugin;
