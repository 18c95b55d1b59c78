import { createHash } from "node:crypto";
import type { Pool } from "pg";

/**
 * The cluster, the database in it and the table of sessions. A dump has none of these: whatever it is restored into, a new
 * server, a new database or the same one, at least one of them is new. A failover changes none.
 */
const IDENTITY = `select
	(select "system_identifier" from pg_control_system()) as "cluster",
	(select "oid" from pg_database where "datname" = current_database()) as "database",
	to_regclass('"session"')::oid as "table"`;

/** Identifies the database, in a few letters. Changes when it was restored from a dump. */
export const readIdentity = async (pool: Pick<Pool, "query">): Promise<string> => {
	const { rows } = await pool.query<{ cluster: string; database: number; table: number | null }>(IDENTITY);
	const [found] = rows;
	return createHash("sha256").update(JSON.stringify(found)).digest("hex").slice(0, 12);
};
