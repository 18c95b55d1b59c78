import type { BetterAuthPlugin } from "better-auth";
import { sessionCacheSteps } from "better-auth-tenants";
import { findTables } from "../database/find-tables.ts";
import type { Migratable } from "./migratable.ts";

/** Says that the database must record changes of sessions, because Redis has copies of them. */
export const recordsChanges = { id: "change-log" } satisfies BetterAuthPlugin;

/** The table of the changes. Each process deletes what all have seen. */
export const CHANGES = "tenant_session_change";

/** What the database lacks to record changes. Empty without Redis. */
export const findMissingRecorders = async (
	auth: Migratable,
	pool: Parameters<typeof findTables>[0],
): Promise<string[]> => {
	if (!auth.options.plugins?.some(({ id }) => id === recordsChanges.id)) return [];
	// the triggers belong to tables that the engine's migration creates
	const tables = await findTables(pool, ["user", "session"]);
	return tables.length === 2 ? sessionCacheSteps(auth) : [];
};
