import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { isRefusedValue } from "../data/refused-values.ts";
import { PLATFORM } from "../pin/platform.ts";
import { uncheckedTenant } from "../pin/tenant-context.ts";
import { closedError, isClosedStatus, type SessionsSince, type TenantState } from "../pin/tenant-state.ts";

export type KnownTenants = ReturnType<typeof createKnownTenants>;

/** Which tenants exist and are open. */
export const knownTenantsOf = defineService<KnownTenants>("known");

type Rows = Pick<DBAdapter, "findOne" | "updateMany">;

/**
 * Checks whether a tenant exists and is open. Runs one query if the result is not cached. After one process deletes a
 * tenant, other processes reject it within `maxAge` seconds. Missing tenants are not cached, so a new tenant works at
 * once.
 */
export const createKnownTenants = (
	adapter: Rows,
	{
		inTransaction,
		lifecycle = false,
		...cache
	}: { maxAge: number; maxSize: number; inTransaction: () => boolean; lifecycle?: boolean },
) => {
	const states = new BoundedCache<TenantState>(cache);
	const stateOf = (tenantId: string): Promise<TenantState> =>
		states.getOrLoad(
			tenantId,
			() => readState(adapter, tenantId, { lifecycle }),
			// a transaction that is rolled back takes the mark with it, and then the tenant counts as not served again
			({ status }) => status === "open" && !inTransaction(),
		);
	const sessionsSince: SessionsSince = async (tenantId) =>
		tenantId === PLATFORM ? null : (await stateOf(tenantId)).sessionsSince;
	return {
		isOpen: async (tenantId: string): Promise<boolean> =>
			tenantId === PLATFORM || (await stateOf(tenantId)).status === "open",
		/** Like `isOpen`, for requests of the tenant. Throws 403 if an operator closed it: it exists, and it must not look missing. */
		admits: async (tenantId: string): Promise<boolean> => {
			if (tenantId === PLATFORM) return true;
			const { status } = await stateOf(tenantId);
			if (isClosedStatus(status)) throw closedError(status);
			return status === "open";
		},
		/** Null without `tenantLifecycle()`, so that nothing has to be looked up. */
		sessionsSince: lifecycle ? sessionsSince : null,
		forget: (tenantId: string): void => states.delete(tenantId),
	};
};

/**
 * Throws if the code runs in a tenant of `runWithTenant` that does not exist or is closed. Every query calls it, so it
 * returns a promise only inside `runWithTenant`.
 */
export const createExplicitCheck = (known: Pick<KnownTenants, "admits">) => {
	const assertOpen = async (tenantId: string): Promise<void> => {
		if (!(await known.admits(tenantId))) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	};
	return (): Promise<void> | undefined => {
		const tenantId = uncheckedTenant();
		return tenantId === undefined ? undefined : assertOpen(tenantId);
	};
};

/** Whether a tenant is open, for code that will write in it. */
export const openToServe = async (adapter: Rows, tenantId: string): Promise<boolean> =>
	(await readState(adapter, tenantId)).status === "open";

type Stored = { id: string; status: string; unserved?: boolean | null; sessionsSince?: Date | null };

const MISSING: TenantState = { status: "missing", sessionsSince: null };

/**
 * Reads the state of a tenant, for code that will write in it. The first time, it marks the tenant as served: one
 * UPDATE in the life of a tenant. The mark and the closing of a tenant change the same row, so one of them comes first.
 * Either the deletion sees the mark and waits, or the tenant is closed here.
 */
const readState = async (adapter: Rows, tenantId: string, { lifecycle = false } = {}): Promise<TenantState> => {
	const look = async (): Promise<{ state: TenantState; isUnserved: boolean }> => {
		const tenant = await adapter
			.findOne<Stored>({
				model: "tenant",
				where: [{ field: "id", value: tenantId }],
				select: ["id", "status", "unserved", ...(lifecycle ? ["sessionsSince"] : [])],
			})
			.catch(orIllTyped);
		// databases compare loosely (case, uuid formats, numbers), but only the exact id is valid
		if (tenant === null || String(tenant.id) !== tenantId) return { state: MISSING, isUnserved: false };
		const sessionsSince = tenant.sessionsSince?.getTime() ?? null;
		if (lifecycle && isClosedStatus(tenant.status))
			return { state: { status: tenant.status, sessionsSince }, isUnserved: false };
		if (tenant.status !== "active") return { state: MISSING, isUnserved: false };
		return { state: { status: "open", sessionsSince }, isUnserved: tenant.unserved === true };
	};
	const found = await look();
	if (!found.isUnserved) return found.state;
	const marked = await adapter.updateMany({
		model: "tenant",
		where: [
			{ field: "id", value: tenantId },
			{ field: "status", value: "active" },
		],
		update: { unserved: false },
	});
	if (marked > 0) return found.state;
	// some drivers do not count a row that a parallel request has marked before
	const again = await look();
	return again.isUnserved ? MISSING : again.state;
};

/** PostgreSQL rejects a text that is not a valid uuid or number, or that contains a NUL. Then there is no such row. */
export const orIllTyped = (error: unknown): null => {
	if (isRefusedValue(error)) return null;
	throw error;
};

/** How long, and for how many tenants, companions keep what they read of a tenant. */
export const tenantCacheOf = defineService<{ maxAge: number; maxSize: number }>("cache");
