import type { BetterAuthPlugin } from "better-auth";
import { sessionCacheRemoval, sessionCacheSteps } from "better-auth-tenants";
import { findTables } from "../database/find-tables.ts";
import type { Migratable } from "./migratable.ts";

/** Says that the database must record changes of sessions, because Redis has copies of them. */
export const recordsChanges = { id: "change-log" } satisfies BetterAuthPlugin;

/** The table of the changes. Each process deletes what all have seen. */
export const CHANGES = "tenant_session_change";

/** What the database lacks to record changes. Empty without Redis. */
export const findMissingRecorders = async (auth: Migratable, pool: Database): Promise<string[]> =>
	needsRecord(auth) && (await hasTables(pool)) ? sessionCacheSteps(auth) : [];

/** What records changes that nobody reads any more. Empty with Redis. */
export const findLeftoverRecorders = async (auth: Migratable, pool: Database): Promise<string[]> =>
	!needsRecord(auth) && (await hasTables(pool)) ? sessionCacheRemoval(auth) : [];

type Database = Parameters<typeof findTables>[0];

const needsRecord = (auth: Migratable): boolean =>
	auth.options.plugins?.some(({ id }) => id === recordsChanges.id) ?? false;

/** The triggers belong to tables that the engine's migration creates. */
const hasTables = async (pool: Database): Promise<boolean> =>
	(await findTables(pool, ["user", "session"])).length === 2;
