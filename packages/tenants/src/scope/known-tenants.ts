import type { DBAdapter } from "@better-auth/core/db/adapter";
import { BoundedCache } from "./bounded-cache.ts";
import { PLATFORM } from "./platform.ts";
import { isRefusedValue } from "./refused-values.ts";

export type KnownTenants = ReturnType<typeof createKnownTenants>;

/**
 * Says whether a tenant is there and open. One statement when it was not asked lately, none after: what one process
 * deletes, another one refuses after `maxAge` seconds at the latest. Absence is not remembered, so that a tenant works
 * at once when it is created.
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
		// databases compare more loosely than we do (case, uuid spellings, numbers): one tenant has one id
		return tenant !== null && String(tenant.id) === tenantId && tenant.status === "active";
	};
	return {
		isOpen: async (tenantId: string): Promise<boolean> =>
			tenantId === PLATFORM || open.getOrLoad(tenantId, () => look(tenantId), Boolean),
		forget: (tenantId: string): void => open.delete(tenantId),
	};
};

/** PostgreSQL refuses to compare a uuid or a number with text that is none, and any text with a NUL: no such row, then. */
export const orIllTyped = (error: unknown): null => {
	if (isRefusedValue(error)) return null;
	throw error;
};
