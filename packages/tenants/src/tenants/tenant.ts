/** A tenant as the API returns it. */
export type Tenant = {
	id: string;
	name: string;
	slug: string;
	metadata: Record<string, unknown> | null;
	createdAt: Date;
	updatedAt: Date;
};

/** A stored tenant. */
export type TenantRow = {
	id: string;
	name: string;
	slug: string;
	metadata?: string | null;
	status: "active" | "deleting";
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
		name: { type: "string" as const },
		slug: { type: "string" as const },
		metadata: { type: "object" as const, nullable: true },
		createdAt: { type: "string" as const, format: "date-time" },
		updatedAt: { type: "string" as const, format: "date-time" },
	},
	required: ["id", "name", "slug", "metadata", "createdAt", "updatedAt"],
};
