import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { LIFECYCLE_ERROR_CODES } from "../../errors/lifecycle-error-codes.ts";
import { knownTenantsOf } from "../../scope/tenants/known-tenants.ts";
import type { TenantRow } from "../../scope/tenants/tenant.ts";
import { type StateChange, tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import { requireTarget } from "../management/management.ts";

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
	const tenants = tenantStoreOf(ctx);
	const known = knownTenantsOf(ctx);
	const named = { id: requireTarget(tenantId) };
	try {
		for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
			const row = await tenants.findKept(named);
			if (!row) throw await tenants.notFound(named);
			const change = await decide(row);
			if (change === null) return row;
			const changed = (await tenants.changeState(row, change)) ? await tenants.findKept(named) : null;
			if (changed) return changed;
		}
		throw APIError.from("CONFLICT", LIFECYCLE_ERROR_CODES.TENANT_STATE_CHANGED);
	} finally {
		// also if another process made the change before, or if a write failed: the database may have made it
		known.forget(named.id);
	}
};
