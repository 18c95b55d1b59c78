import { type ClosedStatus, isClosedStatus } from "../pin/tenant-state.ts";

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
	/** Your own data as a JSON object. Null for admins of the tenant whom `tenantAdmin()` allows. */
	metadata: Record<string, unknown> | null;
	/** When the tenant was created. */
	createdAt: Date;
	/** When the tenant was last changed. */
	updatedAt: Date;
	/** Whether the tenant is active, suspended or archived. Only with `tenantLifecycle()`. */
	lifecycle?: TenantLifecycle;
};

/**
 * The state of a tenant, and its last change by an operator. After the creation, nobody has changed it: reason, actor and
 * time are null.
 *
 * @example
 * ```ts
 * const isClosed = ({ lifecycle }: Tenant) => lifecycle !== undefined && lifecycle.status !== "active";
 * ```
 */
export type TenantLifecycle = {
	/** Requests of a tenant that is not `active` return 403. */
	status: "active" | "suspended" | "archived";
	/** Why, in the operator's own words. Null for admins of the tenant. */
	reason: string | null;
	/** The operator: `key:…`, `user:…` or `server`. Null for admins of the tenant. */
	by: string | null;
	/** When the state changed. */
	at: Date | null;
	/** Sessions and links from before this time are dead. Null if they were never ended. */
	sessionsSince: Date | null;
	/** Whether the next restore ends the sessions from before. */
	endsSessions: boolean;
};

/** A stored tenant. */
export type TenantRow = {
	id: string;
	name: string;
	slug: string;
	metadata?: string | null;
	status: "active" | "deleting" | ClosedStatus;
	unserved?: boolean | null;
	createdAt: Date;
	updatedAt: Date;
} & LifecycleColumns;

/** The columns of `tenantLifecycle()`. Absent without it. */
export type LifecycleColumns = {
	statusReason?: string | null;
	statusBy?: string | null;
	statusAt?: Date | null;
	endsSessions?: boolean | null;
	sessionsSince?: Date | null;
};

/** Selects the fields that the API returns. */
export const showTenant = (row: TenantRow): Tenant => ({
	id: row.id,
	name: row.name,
	slug: row.slug,
	metadata: row.metadata ? (JSON.parse(row.metadata) as Record<string, unknown>) : null,
	createdAt: row.createdAt,
	updatedAt: row.updatedAt,
	...(row.sessionsSince === undefined ? {} : { lifecycle: showLifecycle(row) }),
});

/** The tenant as its own admins see it. Metadata, and who closed the tenant and why, are notes of operators. */
export const withoutNotes = ({ lifecycle, ...tenant }: Tenant): Tenant => ({
	...tenant,
	metadata: null,
	...(lifecycle ? { lifecycle: { ...lifecycle, reason: null, by: null } } : {}),
});

const showLifecycle = (row: TenantRow): TenantLifecycle => ({
	status: isClosedStatus(row.status) ? row.status : "active",
	reason: row.statusReason ?? null,
	by: row.statusBy ?? null,
	at: row.statusAt ?? null,
	sessionsSince: row.sessionsSince ?? null,
	endsSessions: row.endsSessions === true,
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
		lifecycle: {
			type: "object" as const,
			description: "Whether the tenant is active. Only with tenantLifecycle()",
			properties: {
				status: {
					type: "string" as const,
					enum: ["active", "suspended", "archived"],
					description: "Requests of a tenant that is not active return 403",
				},
				reason: { type: "string" as const, nullable: true, description: "Why an operator changed it" },
				by: { type: "string" as const, nullable: true, description: "The operator" },
				at: { type: "string" as const, format: "date-time", nullable: true, description: "When it changed" },
				sessionsSince: {
					type: "string" as const,
					format: "date-time",
					nullable: true,
					description: "Sessions and links from before this time are dead",
				},
				endsSessions: {
					type: "boolean" as const,
					description: "Whether the next restore ends the sessions from before",
				},
			},
		},
	},
	required: ["id", "name", "slug", "metadata", "createdAt", "updatedAt"],
};
