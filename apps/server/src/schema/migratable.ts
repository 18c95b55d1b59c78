import type { getMigrations } from "better-auth/db/migration";
import type { tenantMigrationPlan } from "better-auth-tenants";

/** What a migration needs of the engine: its options and its tables. */
export type Migratable = { options: Parameters<typeof getMigrations>[0] } & Parameters<typeof tenantMigrationPlan>[0];
