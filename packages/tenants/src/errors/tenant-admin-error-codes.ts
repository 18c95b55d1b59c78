import { withCodes } from "./error-codes.ts";

/** Error codes of the administration of a tenant's users. */
export const TENANT_ADMIN_ERROR_CODES = withCodes({
	TENANT_USER_NOT_FOUND: "The tenant has no such user. Check userId and tenantId",
	TENANT_USER_EXISTS: "The tenant has a user with this email. Use another one",
	LAST_OWNER: "This is the tenant's last owner who is not banned. Make another user an owner first",
	OWNER_REQUIRED: "Only an owner can do this to an owner, or make one. Ask an owner of the tenant",
	NOT_ON_YOURSELF: "You cannot do this to yourself. Ask another admin of the tenant",
	ROLE_NOT_ASSIGNABLE: "A role cannot be set here. Use /tenant/user/set-role",
	INVALID_TENANT_ROLE: "A user has one role in a tenant. Use owner, admin or member",
	ADMIN_ENDPOINT_CLOSED: "This endpoint is closed in tenants. Use the endpoints below /tenant/user",
	SECOND_FACTOR_NOT_CONFIGURED: "The server has no second factor. Add the twoFactor plugin",
	INVALID_PASSWORD_LENGTH: "The password is too short or too long. Choose another one",
});
