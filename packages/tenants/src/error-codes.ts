type ErrorCodes<Messages> = {
	readonly [Code in keyof Messages]: { readonly code: Code; readonly message: Messages[Code] };
};

/** Each code is written once: browsers load this. The client entry exports these codes, so import nothing of the server here. */
export const withCodes = <const Messages extends Record<string, string>>(messages: Messages): ErrorCodes<Messages> =>
	Object.fromEntries(
		Object.entries(messages).map(([code, message]) => [code, { code, message }]),
	) as ErrorCodes<Messages>;

/**
 * Error codes of the plugin, except those of `boundConcurrency`, SSO and the transfer of users. The code is the contract. The
 * message may change.
 *
 * @example
 * ```ts
 * if (error?.code === TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND.code) showNotFound();
 * ```
 */
export const TENANT_AUTH_ERROR_CODES = withCodes({
	TENANT_ID_REQUIRED: "Say which tenant this request is for: body, query, header or resolveTenantId",
	INVALID_TENANT_ID: "A tenant id is one string of 1 to 64 letters, digits, '-' and '_'",
	TENANT_NOT_FOUND: "Tenant not found",
	TENANT_ID_OR_SLUG_REQUIRED: "Give exactly one of id and slug",
	TENANT_SLUG_TAKEN: "Another tenant has this slug",
	INVALID_SLUG: "A slug has 2 to 63 of a-z, 0-9 and '-', no '-' at its ends, and is not reserved",
	INVALID_NAME: "A tenant's name has 1 to 200 characters and no control characters",
	INVALID_METADATA: "Metadata is a JSON object of at most 16 kB, 5 levels and 64 keys",
	INVALID_CURSOR: "This cursor was not issued by the list endpoint",
	SESSION_TENANT_MISMATCH: "You are signed in to another tenant than the one this request names",
	TENANT_SCOPE_CONFLICT: "This call runs inside another tenant's request; name its tenant with runWithTenant",
	TENANT_MANAGEMENT_UNAUTHORIZED: "Managing tenants needs a session or a management key",
	TENANT_MANAGEMENT_NOT_ALLOWED: "You are not allowed to manage this",
	AUDIT_UNAVAILABLE: "Nothing was done, because it could not be recorded; the server's log says why",
	IMPERSONATION_DISABLED: "Impersonation is turned off",
	IMPERSONATION_TARGET_NOT_FOUND: "User not found in this tenant",
	IMPERSONATION_NOT_ALLOWED: "An impersonated session may not do this; sign out first",
	INVALID_VALUE: "The request holds a value that cannot be stored or looked for",
	REFERENCE_NOT_IN_TENANT: "Not found",
	TENANTS_CLOSED: "Tenants are closed until the database is migrated; the server's log says how",
	STORE_UNAVAILABLE: "The server cannot reach its data at the moment; try again",
	HASHING_BUSY: "Too many passwords are being checked; try again in a moment",
	TOO_MANY_REQUESTS: "Too many requests; try again later",
	UNSUPPORTED_PROVIDER: "This is not a built-in social provider",
	INVALID_REDIRECT_URI: "The redirect URI must be https (or loopback) and on a trusted origin",
	INVALID_PROVIDER_OPTIONS: "These options do not fit the provider",
	OAUTH_CONFIG_NOT_FOUND: "OAuth config not found",
	OAUTH_CONFIG_UNREADABLE: "The stored credentials cannot be opened; register them again",
	PROVIDER_NOT_FOUND: "Provider not found",
});
