import type { AuthContext } from "@better-auth/core";
import type { SecondaryStorage } from "@better-auth/core/db";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import type { CurrentTenant } from "../../scope/data/schema.ts";
import type { KnownTenants } from "../../scope/tenants/known-tenants.ts";
import type { TenantProfiles } from "../../scope/tenants/tenant-profiles.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import { isMysql, isPostgres } from "../database/driver.ts";
import type { Feature } from "../feature.ts";
import type { Management } from "../management/management.ts";
import { createRefusalCheck } from "../triggers/refusal-check.ts";
import { type ClosedTenants, closedTenantsOf } from "./closing.ts";
import { countDeletions } from "./count-deletions.ts";
import { createTenant } from "./create-tenant.ts";
import { deleteTenant } from "./delete-tenant.ts";
import { createDeletion, deletionOf } from "./deletion.ts";
import { getCurrentTenant } from "./get-current-tenant.ts";
import { getTenant } from "./get-tenant.ts";
import { listTenants } from "./list-tenants.ts";
import { createNameInApps } from "./name-in-apps.ts";
import { endStoredSessions } from "./stored-deletion.ts";
import { createRowSweep } from "./sweep-rows.ts";
import { updateTenant } from "./update-tenant.ts";

type Given = { management: Management; checkSlug: (slug: string) => string; current: CurrentTenant };
type Core = {
	context: AuthContext;
	options: {
		deletion: { drainTime: number; waitsAlways: boolean; batchSize: number };
		database: { client: unknown };
	};
	adapter: RawAdapter;
	/** the engine's own storage, unscoped */
	storage: SecondaryStorage | undefined;
	known: KnownTenants;
	tenants: TenantStore;
	profiles: TenantProfiles;
};

/** Creates, shows, changes and deletes tenants. */
export const tenants = {
	endpoints: ({ management, checkSlug, current }: Given) => ({
		createTenant: createTenant(management, checkSlug),
		getTenant: getTenant(management),
		listTenants: listTenants(management),
		updateTenant: updateTenant(management, checkSlug),
		deleteTenant: deleteTenant(management),
		getCurrentTenant: getCurrentTenant(current),
	}),
	start: ({ context, options, adapter, storage, known, tenants: store, profiles }: Core) => {
		const { drainTime, waitsAlways, batchSize } = options.deletion;
		const sweepRows = createRowSweep({
			adapter,
			oneByOne: isMysql(context),
			byKeyOnly: isPostgres(context),
			batchSize,
			beforeBatch: async (model, ids, closing) => {
				if (model === "user" && storage) await endStoredSessions(storage, closing, ids);
			},
		});
		const closed: ClosedTenants = {
			adapter,
			storage,
			drainTime,
			sweepRows,
			refusesRows: createRefusalCheck(context, {
				client: options.database.client,
				// a chosen time is a choice, and a storage refuses nothing
				never: waitsAlways || storage !== undefined,
			}),
		};
		const { deletion, counts } = countDeletions(
			createDeletion({ storage, schema: context.tables, tenants: store, known, shared: closed, sweepRows }),
		);
		return {
			services: [deletionOf.as(deletion), closedTenantsOf.as(closed)],
			deletions: counts,
			nameTenant: createNameInApps(profiles),
		};
	},
} satisfies Feature;
