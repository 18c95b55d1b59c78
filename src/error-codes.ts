/**
 * Every code this plugin answers with. The code is the contract; the sentence may change.
 *
 * Browser-safe: the client entry exports this object, so nothing of the server may be imported here.
 */
export const TENANT_AUTH_ERROR_CODES = {
	TENANT_ID_REQUIRED: {
		code: "TENANT_ID_REQUIRED",
		message: "Say which tenant this request is for: body, query, header or resolveTenantId",
	},
	INVALID_TENANT_ID: {
		code: "INVALID_TENANT_ID",
		message: "A tenant id is one string of 1 to 64 letters, digits, '-' and '_'",
	},
	TENANT_NOT_FOUND: { code: "TENANT_NOT_FOUND", message: "Tenant not found" },
	TENANT_ID_OR_SLUG_REQUIRED: {
		code: "TENANT_ID_OR_SLUG_REQUIRED",
		message: "Give exactly one of id and slug",
	},
	TENANT_SLUG_TAKEN: { code: "TENANT_SLUG_TAKEN", message: "Another tenant has this slug" },
	INVALID_SLUG: {
		code: "INVALID_SLUG",
		message: "A slug has 2 to 63 of a-z, 0-9 and '-', no '-' at its ends, and is not reserved",
	},
	INVALID_NAME: {
		code: "INVALID_NAME",
		message: "A tenant's name has 1 to 200 characters and no control characters",
	},
	INVALID_METADATA: {
		code: "INVALID_METADATA",
		message: "Metadata is a JSON object of at most 16 kB, 5 levels and 64 keys",
	},
	INVALID_CURSOR: { code: "INVALID_CURSOR", message: "This cursor was not issued by the list endpoint" },
	SESSION_TENANT_MISMATCH: {
		code: "SESSION_TENANT_MISMATCH",
		message: "You are signed in to another tenant than the one this request names",
	},
	TENANT_SCOPE_CONFLICT: {
		code: "TENANT_SCOPE_CONFLICT",
		message: "This call runs inside another tenant's request; name its tenant with runWithTenant",
	},
	TENANT_MANAGEMENT_UNAUTHORIZED: {
		code: "TENANT_MANAGEMENT_UNAUTHORIZED",
		message: "Managing tenants needs a session or a management key",
	},
	TENANT_MANAGEMENT_NOT_ALLOWED: {
		code: "TENANT_MANAGEMENT_NOT_ALLOWED",
		message: "You are not allowed to manage this",
	},
	AUDIT_UNAVAILABLE: {
		code: "AUDIT_UNAVAILABLE",
		message: "Nothing was done, because it could not be recorded; the server's log says why",
	},
	ENTERING_DISABLED: { code: "ENTERING_DISABLED", message: "Entering tenants is turned off" },
	ENTER_TARGET_NOT_FOUND: { code: "ENTER_TARGET_NOT_FOUND", message: "There is no such user in such a tenant" },
	ENTERED_SESSION_NOT_ALLOWED: {
		code: "ENTERED_SESSION_NOT_ALLOWED",
		message: "Whoever entered a tenant as one of its users may not do this; sign out first",
	},
	INVALID_VALUE: {
		code: "INVALID_VALUE",
		message: "The request holds a value that cannot be stored or looked for",
	},
	REFERENCE_NOT_IN_TENANT: { code: "REFERENCE_NOT_IN_TENANT", message: "Not found" },
	TENANTS_CLOSED: {
		code: "TENANTS_CLOSED",
		message: "Tenants are closed until the database is migrated; the server's log says how",
	},
	STORE_UNAVAILABLE: {
		code: "STORE_UNAVAILABLE",
		message: "The server cannot reach its data at the moment; try again",
	},
	HASHING_BUSY: { code: "HASHING_BUSY", message: "Too many passwords are being checked; try again in a moment" },
	UNSUPPORTED_PROVIDER: {
		code: "UNSUPPORTED_PROVIDER",
		message: "This is not a built-in social provider",
	},
	INVALID_REDIRECT_URI: {
		code: "INVALID_REDIRECT_URI",
		message: "The redirect URI must be https (or loopback) and on a trusted origin",
	},
	INVALID_PROVIDER_OPTIONS: {
		code: "INVALID_PROVIDER_OPTIONS",
		message: "These options do not fit the provider",
	},
	OAUTH_CONFIG_NOT_FOUND: { code: "OAUTH_CONFIG_NOT_FOUND", message: "OAuth config not found" },
	OAUTH_CONFIG_UNREADABLE: {
		code: "OAUTH_CONFIG_UNREADABLE",
		message: "The stored credentials cannot be opened; register them again",
	},
	PROVIDER_NOT_FOUND: { code: "PROVIDER_NOT_FOUND", message: "Provider not found" },
} as const;
