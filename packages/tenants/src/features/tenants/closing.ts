import type { SecondaryStorage } from "@better-auth/core/db";
import { defineService } from "../../engine/service.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";

/** The closed tenant. `isSame` is false if a new tenant was imported with the same id, or if it was opened again. */
export type Closing = { tenantId: string; isSame: () => Promise<boolean> };

/** What works on closed tenants, outside of every scope. */
export type ClosedTenants = {
	/** the engine's own adapter and storage, unscoped */
	adapter: RawAdapter;
	storage: SecondaryStorage | undefined;
	/** seconds until no request that saw a tenant open can still be writing, if the database does not refuse what it writes */
	drainTime: number;
	/** whether the database refuses new rows of closed tenants, and nothing else is written that has to be found */
	refusesRows: () => Promise<boolean>;
	/** deletes all rows of a closed tenant in these tables */
	sweepRows: (models: string[], closing: Closing) => Promise<void>;
};

/** How a tenant is closed and emptied. */
export const closedTenantsOf = defineService<ClosedTenants>("closed");
