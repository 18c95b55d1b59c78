import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";

/** A connection that is not closed by then belongs to a process that the test has stopped or lost. */
const CLOSING_MS = 1000;

/**
 * Drops a database and ends the connections to it. First waits for connections that are already closing: a pool's
 * `end()` resolves before its sockets are closed, and a connection that the server ends then is an error in the pool.
 */
export const dropDatabase = async (admin: Client, name: string): Promise<void> => {
	const closed = Date.now() + CLOSING_MS;
	while ((await hasConnections(admin, name)) && Date.now() < closed) await sleep(5);
	await admin.query(`drop database if exists ${name} with (force)`);
};

const hasConnections = async (admin: Client, name: string): Promise<boolean> =>
	(await admin.query("select 1 from pg_stat_activity where datname = $1 limit 1", [name])).rows.length > 0;
