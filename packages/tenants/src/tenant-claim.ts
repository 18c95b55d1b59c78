/**
 * The claim with a token's tenant id, or `PLATFORM`. All tenants share one issuer, so a resource server must check it.
 * A private claim name (RFC 7519, section 4.3) in the style of `client_id`. Other issuers use `org_id` (Auth0, WorkOS)
 * or `tid` (Entra ID), and libraries that read those expect values of that issuer.
 */
export const TENANT_CLAIM = "tenant_id";

/** Adds the tenant claim. Replaces a claim of this name from another source. */
export const claimTenant = <Claims extends object>(claims: Claims, tenantId: string) => ({
	...claims,
	[TENANT_CLAIM]: tenantId,
});
