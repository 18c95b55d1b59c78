import type { BetterAuthClientPlugin } from "better-auth/client";
import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";
import type { tenantAdmin } from "./tenant-admin.ts";

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
