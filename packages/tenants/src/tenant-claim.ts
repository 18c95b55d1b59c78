/**
 * The claim that holds a token's tenant id, or PLATFORM. All tenants share one issuer, so a resource server must compare
 * it. A private name (RFC 7519, section 4.3) in the style of `client_id`: other issuers call theirs
 * `org_id` (Auth0, WorkOS) or `tid` (Entra ID), and libraries that look for those expect their issuer's values.
 */
export const TENANT_CLAIM = "tenant_id";

/** The same claims with the tenant's. A claim of this name from another source is replaced. */
export const claimTenant = <Claims extends object>(claims: Claims, tenantId: string) => ({
	...claims,
	[TENANT_CLAIM]: tenantId,
});
