import type { DBAdapter } from "@better-auth/core/db/adapter";
import { BoundedCache } from "./bounded-cache.ts";
import { PLATFORM } from "./platform.ts";

export type KnownTenants = ReturnType<typeof createKnownTenants>;

/**
 * Says whether a tenant is there and open. One statement when it was not asked lately, none after: what one process
 * deletes, another one refuses after `maxAge` seconds at the latest. Absence is not remembered, so that a tenant works
 * at once when it is created.
 */
export const createKnownTenants = (adapter: DBAdapter, cache: { maxAge: number; maxSize: number }) => {
	const open = new BoundedCache<true>(cache);
	return {
		isOpen: async (tenantId: string): Promise<boolean> => {
			if (tenantId === PLATFORM || open.get(tenantId)) return true;
			const tenant = await adapter.findOne<{ status: string }>({
				model: "tenant",
				where: [{ field: "id", value: tenantId }],
				select: ["status"],
			});
			if (tenant?.status !== "active") return false;
			open.set(tenantId, true);
			return true;
		},
		forget: (tenantId: string): void => open.delete(tenantId),
	};
};
