import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { LIFECYCLE_ERROR_CODES } from "../lifecycle-error-codes.ts";
import { servicesOf } from "../services.ts";
import type { TenantRow } from "../tenants/tenant.ts";
import type { StateChange } from "../tenants/tenant-store.ts";

/** More operators than this do not change one tenant at the same time. */
const ATTEMPTS = 5;

/**
 * Reads a tenant, decides what to change, and writes it if nobody changed the tenant meanwhile. Otherwise it reads and decides
 * again. `decide` returns null if nothing has to change. Takes effect at once in this process.
 */
export const changeState = async (
	ctx: GenericEndpointContext,
	tenantId: string | null,
	decide: (row: TenantRow) => StateChange | null | Promise<StateChange | null>,
): Promise<TenantRow> => {
	const { tenants, known } = servicesOf(ctx);
	for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
		const row = tenantId === null ? null : await tenants.findKept({ id: tenantId });
		if (!row) throw await tenants.notFound(tenantId === null ? null : { id: tenantId });
		const change = await decide(row);
		if (change === null) return row;
		try {
			if (!(await tenants.changeState(row, change))) continue;
		} finally {
			// also if the write failed: the database may have made it
			known.forget(row.id);
		}
		const changed = await tenants.findKept({ id: row.id });
		if (changed) return changed;
	}
	throw APIError.from("CONFLICT", LIFECYCLE_ERROR_CODES.TENANT_STATE_CHANGED);
};
