import type { Where } from "@better-auth/core/db/adapter";

/**
 * Conditions for rows of a tenant that are named by their ids. The tenant stays a condition: rows keep their ids when
 * they move, so an id found here may belong to another tenant by now.
 *
 * `byKeyOnly` is for PostgreSQL. If its statistics are older than the tenant's rows, it expects few rows in the tenant
 * and reads all of them to find each batch. No index serves an alternative that looks inside the column, so it must go by
 * the primary key. No row has the alternative: a tenant id contains no space.
 */
export const rowsById = (tenantId: string, ids: string[], { byKeyOnly }: { byKeyOnly: boolean }): Where[] => [
	{ field: "id", value: ids, operator: "in" },
	...(byKeyOnly ? ofTenantOrNone(tenantId) : [{ field: "tenantId", value: tenantId }]),
];

/** The same for one row. Every database finds it by its key. */
export const rowById = (tenantId: string, id: string): Where[] => [
	{ field: "id", value: id },
	{ field: "tenantId", value: tenantId },
];

const ofTenantOrNone = (tenantId: string): Where[] => [
	{ field: "tenantId", value: tenantId, connector: "OR" },
	{ field: "tenantId", value: `${tenantId} `, operator: "contains", connector: "OR" },
];
