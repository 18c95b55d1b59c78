/**
 * Finds tenants for a resolver. The plugin hands it to resolvers with each request. Results are cached like tenants
 * (`tenantCache`), and missing names too.
 *
 * @example
 * ```ts
 * tenantAuth({ resolveTenantId: ({ headers, tenants }) => tenants?.bySlug(headers?.get("x-workspace") ?? "") });
 * ```
 */
export type TenantLookup = {
	/** Returns the id of the tenant with this slug, or null. */
	bySlug: (slug: string) => Promise<string | null>;
	/** Returns the id of the tenant that has this domain, or null. See `/tenant/domain/add`. */
	byDomain: (domain: string) => Promise<string | null>;
};
