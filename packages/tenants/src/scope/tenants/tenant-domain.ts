/**
 * A domain of a tenant, as the API returns it.
 *
 * @example
 * ```ts
 * const added: TenantDomain = await auth.api.addTenantDomain({ body: { tenantId, domain: "login.acme.com" } });
 * ```
 */
export type TenantDomain = {
	/** The tenant that the domain belongs to. */
	tenantId: string;
	/** The host name: lower case, in ASCII, without port and trailing dot. */
	domain: string;
	/** When the domain was added. */
	createdAt: Date;
};

/** Selects the fields that the API returns. */
export const showDomain = ({ tenantId, domain, createdAt }: TenantDomain): TenantDomain => ({
	tenantId,
	domain,
	createdAt,
});

/** The OpenAPI schema of `TenantDomain`. */
export const domainOpenAPI = {
	type: "object" as const,
	properties: {
		tenantId: { type: "string" as const, description: "The tenant that the domain belongs to" },
		domain: { type: "string" as const, description: "Host name in lower case and ASCII" },
		createdAt: { type: "string" as const, format: "date-time", description: "When the domain was added" },
	},
	required: ["tenantId", "domain", "createdAt"],
};
