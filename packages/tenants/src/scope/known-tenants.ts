import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { PLATFORM } from "./platform.ts";
import { isRefusedValue } from "./refused-values.ts";
import { uncheckedTenant } from "./tenant-context.ts";

export type KnownTenants = ReturnType<typeof createKnownTenants>;

type Rows = Pick<DBAdapter, "findOne" | "updateMany">;

/**
 * Checks whether a tenant exists and is open. Runs one query if the result is not cached. After one process deletes a
 * tenant, other processes reject it within `maxAge` seconds. Missing tenants are not cached, so a new tenant works at
 * once.
 */
export const createKnownTenants = (
	adapter: Rows,
	{ inTransaction, ...cache }: { maxAge: number; maxSize: number; inTransaction: () => boolean },
) => {
	const open = new BoundedCache<boolean>(cache);
	return {
		isOpen: async (tenantId: string): Promise<boolean> =>
			tenantId === PLATFORM ||
			open.getOrLoad(
				tenantId,
				() => openToServe(adapter, tenantId),
				// a transaction that is rolled back takes the mark with it, and then the tenant counts as not served again
				(isOpen) => isOpen && !inTransaction(),
			),
		forget: (tenantId: string): void => open.delete(tenantId),
	};
};

/**
 * Throws if the code runs in a tenant of `runWithTenant` that does not exist or is closed. Every query calls it, so it
 * returns a promise only inside `runWithTenant`.
 */
export const createExplicitCheck = (known: Pick<KnownTenants, "isOpen">) => {
	const assertOpen = async (tenantId: string): Promise<void> => {
		if (!(await known.isOpen(tenantId))) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	};
	return (): Promise<void> | undefined => {
		const tenantId = uncheckedTenant();
		return tenantId === undefined ? undefined : assertOpen(tenantId);
	};
};

/**
 * Reads whether a tenant is open, for code that will write in it. The first time, it marks the tenant as served: one
 * UPDATE in the life of a tenant. The mark and the closing of a tenant change the same row, so one of them comes first.
 * Either the deletion sees the mark and waits, or the tenant is closed here.
 */
export const openToServe = async (adapter: Rows, tenantId: string): Promise<boolean> => {
	const look = async (): Promise<"closed" | "unserved" | "served"> => {
		const tenant = await adapter
			.findOne<{ id: string; status: string; unserved?: boolean | null }>({
				model: "tenant",
				where: [{ field: "id", value: tenantId }],
				select: ["id", "status", "unserved"],
			})
			.catch(orIllTyped);
		// databases compare loosely (case, uuid formats, numbers), but only the exact id is valid
		if (tenant === null || String(tenant.id) !== tenantId || tenant.status !== "active") return "closed";
		return tenant.unserved === true ? "unserved" : "served";
	};
	const found = await look();
	if (found !== "unserved") return found === "served";
	const marked = await adapter.updateMany({
		model: "tenant",
		where: [
			{ field: "id", value: tenantId },
			{ field: "status", value: "active" },
		],
		update: { unserved: false },
	});
	// some drivers do not count a row that a parallel request has marked before
	return marked > 0 || (await look()) === "served";
};

/** PostgreSQL rejects a text that is not a valid uuid or number, or that contains a NUL. Then there is no such row. */
export const orIllTyped = (error: unknown): null => {
	if (isRefusedValue(error)) return null;
	throw error;
};
