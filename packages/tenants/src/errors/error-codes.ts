type ErrorCodes<Messages> = {
	readonly [Code in keyof Messages]: { readonly code: Code; readonly message: Messages[Code] };
};

/** Adds the code to each message. Keeps the file small, because browsers load it. */
export const withCodes = <const Messages extends Record<string, string>>(messages: Messages): ErrorCodes<Messages> =>
	Object.fromEntries(
		Object.entries(messages).map(([code, message]) => [code, { code, message }]),
	) as ErrorCodes<Messages>;

/**
 * Error codes of the plugin, except those of `limitConcurrency`, SSO and the transfer of users. The code is the contract. The
 * message may change.
 *
 * @example
 * ```ts
 * if (error?.code === TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND.code) showNotFound();
 * ```
 */
export const TENANT_AUTH_ERROR_CODES = withCodes({
	TENANT_ID_REQUIRED: "Tenant id required. Set it in the body, query or header, or use resolveTenantId",
	INVALID_TENANT_ID: "A tenant id must be a string of 1 to 64 letters, digits, '-' and '_'",
	TENANT_NOT_FOUND: "Tenant not found",
	TENANT_BEING_DELETED: "This tenant is being deleted. Its id and slug are in use until the deletion is complete",
	TENANT_ID_OR_SLUG_REQUIRED: "Set exactly one of id, tenantId and slug",
	TENANT_SLUG_TAKEN: "Another tenant has this slug",
	INVALID_SLUG: "A slug must have 2 to 63 of a-z, 0-9 and '-', no '-' at its ends, and not be reserved",
	INVALID_TENANT_NAME: "A tenant's name must have 1 to 200 characters and no control characters",
	INVALID_METADATA: "Metadata must be a JSON object of at most 16 kB and 32 levels, without the key __proto__",
	INVALID_DOMAIN:
		"A domain must be a public host name such as login.acme.com, without port or path, and not be reserved for the platform",
	DOMAIN_TAKEN: "Another tenant has this domain",
	DOMAIN_NOT_FOUND: "The tenant does not have this domain",
	TOO_MANY_DOMAINS: "A tenant can have at most 100 domains. Remove one first",
	UNKNOWN_FIELD: "The request contains a field that this endpoint does not know",
	INVALID_CURSOR: "This cursor was not issued by the list endpoint",
	SESSION_TENANT_MISMATCH: "You are signed in to another tenant than the one this request names",
	PLATFORM_SIGN_UP_CLOSED: "Nobody can sign up here. Sign up at a tenant, or ask an operator",
	PLATFORM_SIGN_IN_CLOSED: "Nobody can sign in here. Sign in at a tenant",
	TENANT_HOST_MISMATCH: "This host belongs to another tenant. Use the host where you started",
	TENANT_SCOPE_CONFLICT: "This call runs inside another tenant's request. Use runWithTenant to change the tenant",
	TENANT_MANAGEMENT_UNAUTHORIZED:
		"Managing tenants requires a session or a management key. Send a key as `Authorization: Bearer KEY`",
	TENANT_MANAGEMENT_NOT_ALLOWED:
		"You are not allowed to do this. Send a key of management.keys as `Authorization: Bearer KEY`, or use a session that management allows",
	AUDIT_UNAVAILABLE: "Nothing was changed, because the audit log failed. See the server log",
	IMPERSONATION_DISABLED: "Impersonation is turned off",
	IMPERSONATION_TARGET_NOT_FOUND: "User not found in this tenant",
	IMPERSONATION_NOT_ALLOWED: "An impersonated session may not do this. Sign out first",
	INVALID_VALUE: "The request contains a value that the database cannot store or search",
	FIELD_TOO_LONG: "A value is too long. Shorten it, or raise limits.fields of tenantAuth()",
	BODY_TOO_LARGE: "The body is too large. Send less, or raise limits.bodies of tenantAuth()",
	BODY_TOO_COMPLEX: "The body has more than 64 levels, 32768 members or 1000 parameters",
	BODY_UNREADABLE: "The body ended early, or was already read",
	URL_TOO_LONG: "The URL has more than 16384 characters or 1000 parameters",
	REFERENCE_NOT_IN_TENANT: "Not found",
	DATABASE_NOT_ISOLATED: "Tenants are closed until the database can isolate them. The server log says what to fix",
	STORE_UNAVAILABLE: "The database or storage is unavailable. Try again in a moment",
	HASHING_BUSY: "Too many passwords are being checked. Try again in a moment",
	TOO_MANY_REQUESTS: "Too many requests. Try again later",
	TOO_MANY_CODES: "Too many codes were tried for this user. Sign in another way, or try again tomorrow",
	SHARE_EXCEEDED: "Too much was stored from this network or in this tenant. Try again later",
	UNSUPPORTED_PROVIDER: "This is not a built-in social provider",
	INVALID_REDIRECT_URI:
		"The redirect URI must be https (or loopback), without user name and fragment, and on an origin in trustedOrigins of Better Auth",
	INVALID_PROVIDER_OPTIONS: "The options are not valid for the provider. Send valid ones, or null to clear them",
	OAUTH_CONFIG_NOT_FOUND: "OAuth config not found",
	OAUTH_CONFIG_UNREADABLE: "The stored credentials cannot be decrypted. Register them again",
	OAUTH_OPTIONS_UNREADABLE: "The stored options cannot be decrypted. Send `options` again, or null to clear them",
	OAUTH_CONFIG_CHANGED: "The config changed several times during this call. Try again",
	PROVIDER_NOT_FOUND: "Provider not found",
});
