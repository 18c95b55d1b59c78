/**
 * Where identity providers send users back to, one address for each tenant and provider: RFC 9700, section 4.4.2. A provider
 * id is unique in its tenant alone, so the engine's own `/sso/callback/<provider id>` would be shared by namesakes of two
 * tenants, and one tenant's server would be sent codes that belong to another's.
 */
export const ADDRESS_PREFIX = "/tenants";

/** The same as a pattern of the router. The engine's own path follows it. */
export const ADDRESSED = `${ADDRESS_PREFIX}/:tenantId`;

/** What the engine appends its paths (`/sso/callback/…`, `/sso/saml2/sp/acs/…`) to. */
export const tenantAddress = (baseURL: string, tenantId: string): string => `${baseURL}${ADDRESS_PREFIX}/${tenantId}`;

/** The engine's path behind such an address; null for any other path. */
export const addressedPath = (path: string): string | null =>
	path.startsWith(`${ADDRESSED}/`) ? path.slice(ADDRESSED.length) : null;
