import type { DBAdapter } from "@better-auth/core/db/adapter";
import { BoundedCache } from "./bounded-cache.ts";
import { PLATFORM } from "./platform.ts";
import { isRefusedValue } from "./refused-values.ts";

export type KnownTenants = ReturnType<typeof createKnownTenants>;

/**
 * Checks whether a tenant exists and is open. Runs one query if the result is not cached. After one process deletes a
 * tenant, other processes reject it within `maxAge` seconds. Missing tenants are not cached, so a new tenant works at
 * once.
 */
export const createKnownTenants = (adapter: Pick<DBAdapter, "findOne">, cache: { maxAge: number; maxSize: number }) => {
	const open = new BoundedCache<boolean>(cache);
	const look = async (tenantId: string): Promise<boolean> => {
		const tenant = await adapter
			.findOne<{ id: string; status: string }>({
				model: "tenant",
				where: [{ field: "id", value: tenantId }],
				select: ["id", "status"],
			})
			.catch(orIllTyped);
		// databases compare loosely (case, uuid formats, numbers), but only the exact id is valid
		return tenant !== null && String(tenant.id) === tenantId && tenant.status === "active";
	};
	return {
		isOpen: async (tenantId: string): Promise<boolean> =>
			tenantId === PLATFORM || open.getOrLoad(tenantId, () => look(tenantId), Boolean),
		forget: (tenantId: string): void => open.delete(tenantId),
	};
};

/** PostgreSQL rejects a text that is not a valid uuid or number, or that contains a NUL. Then there is no such row. */
export const orIllTyped = (error: unknown): null => {
	if (isRefusedValue(error)) return null;
	throw error;
};
