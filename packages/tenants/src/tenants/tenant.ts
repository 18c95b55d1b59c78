/**
 * A tenant as the API returns it.
 *
 * @example
 * ```ts
 * const tenant: Tenant = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
 * ```
 */
export type Tenant = {
	/** The id, used as `tenantId` elsewhere. It never changes. */
	id: string;
	/** The display name. */
	name: string;
	/** The unique name for URLs, such as `acme`. It can change. */
	slug: string;
	/** Your own data as a JSON object. */
	metadata: Record<string, unknown> | null;
	/** When the tenant was created. */
	createdAt: Date;
	/** When the tenant was last changed. */
	updatedAt: Date;
};

/** A stored tenant. */
export type TenantRow = {
	id: string;
	name: string;
	slug: string;
	metadata?: string | null;
	status: "active" | "deleting";
	unserved?: boolean | null;
	createdAt: Date;
	updatedAt: Date;
};

/** Selects the fields that the API returns. */
export const showTenant = (row: TenantRow): Tenant => ({
	id: row.id,
	name: row.name,
	slug: row.slug,
	metadata: row.metadata ? (JSON.parse(row.metadata) as Record<string, unknown>) : null,
	createdAt: row.createdAt,
	updatedAt: row.updatedAt,
});

/** The OpenAPI schema of `Tenant`. */
export const tenantOpenAPI = {
	type: "object" as const,
	properties: {
		id: { type: "string" as const, description: "Tenant identifier, used as `tenantId` elsewhere" },
		name: { type: "string" as const, description: "Display name" },
		slug: { type: "string" as const, description: "Unique URL-friendly id. It can change" },
		metadata: { type: "object" as const, nullable: true, description: "Arbitrary JSON" },
		createdAt: { type: "string" as const, format: "date-time", description: "When the tenant was created" },
		updatedAt: { type: "string" as const, format: "date-time", description: "When the tenant was last changed" },
	},
	required: ["id", "name", "slug", "metadata", "createdAt", "updatedAt"],
};
