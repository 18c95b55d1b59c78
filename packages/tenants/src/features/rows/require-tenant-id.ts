import { PLATFORM } from "../../scope/pin/platform.ts";
import { currentTenantId } from "../../scope/request/current-tenant.ts";
import { rowError } from "./error-codes.ts";

/**
 * Whether code may run on the platform.
 *
 * @example
 * ```ts
 * const options: RequireTenantOptions = { allowPlatform: true };
 * ```
 */
export type RequireTenantOptions = {
	/**
	 * Returns `"platform"` on the platform instead of throwing. Set it if your tables have rows of the platform.
	 * @default false
	 */
	allowPlatform?: boolean;
};

/**
 * Returns the tenant of the running request or `runWithTenant`, for queries of your own tables. Throws
 * `ROW_TENANT_REQUIRED` if there is none, so that a query never runs without a tenant. It sends no query.
 *
 * @example
 * ```ts
 * const invoices = await sql`select * from invoice where tenant_id = ${requireTenantId()}`;
 * ```
 */
export const requireTenantId = ({ allowPlatform = false }: RequireTenantOptions = {}): string => {
	const tenantId = currentTenantId();
	if (!tenantId) throw rowError("ROW_TENANT_REQUIRED");
	if (tenantId === PLATFORM && !allowPlatform) throw rowError("ROW_TENANT_IS_PLATFORM");
	return tenantId;
};
