import { APIError } from "better-auth/api";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";

/**
 * The error for a request that names two tenants. It is refused because otherwise the owner of one tenant could
 * redirect the other tenant's users to their own host.
 */
export const twoTenants = (): APIError =>
	new APIError("CONFLICT", {
		code: TENANT_AUTH_ERROR_CODES.TENANT_SCOPE_CONFLICT.code,
		message: "This request names two tenants. Its host, path, headers, cookies and body must name the same one",
	});
