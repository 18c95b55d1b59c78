import type { DBAdapter } from "@better-auth/core/db/adapter";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";
import type { Feature } from "../feature.ts";
import type { Management } from "../management/management.ts";
import { exportUsers } from "./export-users.ts";
import { importTenant } from "./import-tenant.ts";
import { importUsers } from "./import-users.ts";
import { createUserExport, userExportOf } from "./user-export.ts";
import { createUserImport, userImportOf } from "./user-import.ts";

type Given = {
	management: Management;
	checkSlug: (slug: string) => string;
	options: { transfer: { acceptsPasswordHash: (hash: string) => boolean } };
};
type Core = { scopedAdapter: DBAdapter; adapter: RawAdapter; tenants: TenantStore };

/** Moves tenants and users between installations. */
export const transfer = {
	endpoints: ({ management, checkSlug, options }: Given) => ({
		importTenant: importTenant(management, checkSlug),
		exportTenantUsers: exportUsers(management),
		importTenantUsers: importUsers(management, options.transfer.acceptsPasswordHash),
	}),
	start: ({ scopedAdapter, adapter, tenants }: Core) => ({
		services: [
			userExportOf.as(createUserExport(scopedAdapter)),
			userImportOf.as(createUserImport({ adapter: scopedAdapter, raw: adapter, tenants })),
		],
	}),
} satisfies Feature;
