import { BetterAuthError } from "@better-auth/core/error";
import type { TenantLookup } from "./tenant-lookup.ts";

/** An application's own lookup. Returns the id of the tenant with this name, or nothing. */
export type FindTenantId = (name: string) => string | null | undefined | Promise<string | null | undefined>;

/** Uses the application's lookup if there is one, and else the plugin's. */
export const findBy = (
	by: keyof TenantLookup,
	own: FindTenantId | undefined,
	tenants: TenantLookup | undefined,
): FindTenantId => {
	const find = own ?? tenants?.[by];
	if (!find)
		throw new BetterAuthError(
			"This resolver looks tenants up in the database. Pass it to tenantAuth({ resolveTenantId }), or set findTenantId.",
		);
	return find;
};
