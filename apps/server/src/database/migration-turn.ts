import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/** Ids of advisory locks. Any number works, as long as every process uses the same. */
const MIGRATING = 7_364_011_952;
/** Held by `migrate --contract`. A process that starts shares it for the moment of its registration. */
export const CONTRACTING = 7_364_011_953;
/** Milliseconds */
const POLL = 250;

export type Turn = {
	/** Throws if the connection with the lock was lost, because another migration may be running. */
	check: () => Promise<void>;
	/** From here on, no process can register until the turn is over. */
	keepProcessesOut: () => Promise<void>;
};

/**
 * Runs work while no other migration runs. The lock belongs to a transaction, so it also works through PgBouncer in
 * transaction mode. The work uses other connections: indexes are built outside of a transaction.
 *
 * It polls for the lock. A statement that waits for it would hold a snapshot, and building an index concurrently waits
 * for older snapshots: the two migrations would wait for each other forever.
 */
export const inTurn = async <Result>(
	pool: Pool,
	note: (text: string) => void,
	work: (turn: Turn) => Promise<Result>,
): Promise<Result> => {
	// with one connection, the work would wait for it forever
	if (pool.options.max < 2) throw new Error("A migration needs a pool of at least 2 connections");
	const client = await pool.connect();
	try {
		for (let attempt = 1; ; attempt += 1) {
			await client.query("begin");
			if (await tryLock(client, MIGRATING)) break;
			await client.query("rollback");
			if (attempt === 1) note("waiting for another migration");
			await sleep(POLL * (0.5 + Math.random()));
		}
		// the transaction is idle for as long as the work takes
		await client.query(
			"select set_config(name, '0', true) from pg_settings where name in ('idle_in_transaction_session_timeout', 'transaction_timeout')",
		);
		const result = await work({
			check: async () => {
				await client.query("select 1");
			},
			keepProcessesOut: async () => {
				while (!(await tryLock(client, CONTRACTING))) await sleep(POLL);
			},
		});
		await client.query("commit");
		client.release();
		return result;
	} catch (error) {
		client.release(true);
		throw error;
	}
};

const tryLock = async (client: PoolClient, id: number): Promise<boolean> => {
	const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_xact_lock(${id}) as locked`);
	return rows[0]?.locked === true;
};
