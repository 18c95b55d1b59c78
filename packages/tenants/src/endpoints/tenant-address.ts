/**
 * The path prefix where identity providers redirect users to, separate for each tenant and provider (RFC 9700, section
 * 4.4.2). A provider id is unique only in its tenant. So two tenants could share the engine's `/sso/callback/<provider
 * id>`, and one tenant's server could receive another tenant's codes.
 */
export const ADDRESS_PREFIX = "/tenants";

/** The same as a router pattern. The engine's own path follows it. */
export const ADDRESSED = `${ADDRESS_PREFIX}/:tenantId`;

/** The base URL of a tenant. The engine appends its paths (`/sso/callback/…`, `/sso/saml2/sp/acs/…`) to it. */
export const tenantAddress = (baseURL: string, tenantId: string): string => `${baseURL}${ADDRESS_PREFIX}/${tenantId}`;

/** The engine's path in such a path. Null for any other path. */
export const addressedPath = (path: string): string | null =>
	path.startsWith(`${ADDRESSED}/`) ? path.slice(ADDRESSED.length) : null;
