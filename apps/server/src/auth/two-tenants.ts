import { APIError } from "better-auth/api";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";

/**
 * What a request is told that is in one tenant by this and in another by that. Neither is taken: whoever owns one of the
 * two could otherwise have the other one's people led to his own host.
 */
export const twoTenants = (): APIError =>
	new APIError("CONFLICT", {
		code: TENANT_AUTH_ERROR_CODES.TENANT_SCOPE_CONFLICT.code,
		message: "This request names two tenants; its host, its path and what it carries have to agree",
	});
