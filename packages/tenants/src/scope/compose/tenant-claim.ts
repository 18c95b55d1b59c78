/**
 * The claim with the tenant id of a token, or `PLATFORM`. All tenants share one issuer, so a resource server must compare it.
 * It is a private claim name (RFC 7519, section 4.3). Other issuers use `org_id` (Auth0, WorkOS) or `tid` (Entra ID), and
 * libraries that read those expect the values of their issuer.
 *
 * @example
 * ```ts
 * const belongs = payload[TENANT_CLAIM] === tenantId;
 * ```
 */
export const TENANT_CLAIM = "tenant_id";

/** Adds the tenant claim. Replaces a claim of this name from another source. */
export const claimTenant = <Claims extends object>(claims: Claims, tenantId: string) => ({
	...claims,
	[TENANT_CLAIM]: tenantId,
});
