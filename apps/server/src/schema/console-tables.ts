import type { Pool } from "pg";
import { findTables } from "../database/find-tables.ts";
import type { Migratable } from "./migratable.ts";

/** The id of the plugin with the console's endpoints. */
export const CONSOLE_PLUGIN = "console";

/** Sign-ins by tenant, day (UTC) and method. The deletion of a tenant deletes its rows. */
export const SIGN_IN_TABLE = "serviceSignInCount";
/** Management events. They outlast their tenant, so that operators can see its deletion. */
export const EVENT_TABLE = "serviceEvent";

/** Days of sign-in counts that are kept. */
export const COUNTED_DAYS = 90;
/** Days that an event is kept. */
export const KEPT_DAYS = 90;

/**
 * The tables of the console with their indexes. Not tables of the engine: nothing reads or writes them in the scope of a
 * tenant, and one upsert counts for many.
 */
export const CONSOLE_TABLES: Record<string, string[]> = {
	[SIGN_IN_TABLE]: [
		`create table if not exists "${SIGN_IN_TABLE}" ("tenantId" text not null references "tenant" ("id") on delete cascade, "day" date not null, "method" text not null, "succeeded" bigint not null default 0, "refused" bigint not null default 0, primary key ("tenantId", "day", "method"))`,
		`create index if not exists "${SIGN_IN_TABLE}_day_idx" on "${SIGN_IN_TABLE}" ("day")`,
	],
	// no sequence: its gaps would tell one tenant how much happens in the others
	[EVENT_TABLE]: [
		`create table if not exists "${EVENT_TABLE}" ("id" uuid primary key default gen_random_uuid(), "at" timestamptz not null, "tenantId" text, "action" text not null, "outcome" text not null, "actorTenantId" text, "entry" text not null)`,
		`create index if not exists "${EVENT_TABLE}_at_idx" on "${EVENT_TABLE}" ("at", "id")`,
		`create index if not exists "${EVENT_TABLE}_tenantId_at_idx" on "${EVENT_TABLE}" ("tenantId", "at", "id")`,
	],
};

/** The tables of the console that a database lacks. Empty if the console is off. */
export const findMissingConsoleTables = async ({ options }: Migratable, pool: Pool): Promise<string[]> => {
	if (!options.plugins?.some(({ id }) => id === CONSOLE_PLUGIN)) return [];
	const tables = Object.keys(CONSOLE_TABLES);
	const existing = await findTables(pool, tables);
	return tables.filter((table) => !existing.includes(table));
};
