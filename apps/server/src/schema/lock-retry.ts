import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/**
 * Milliseconds to wait for a table lock. Every later query on the table queues behind this wait, so it is the longest
 * time that a sign-in is delayed.
 */
const LOCK_TIMEOUT = 500;
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 10_000;

export type Retries = {
	/** how often a lock is tried for before the migration gives up */
	attempts: number;
	/** reports progress that is not a change */
	note: (text: string) => void;
};

/** A table stayed in use. What was done before stays, and the next migration continues. */
class TableInUseError extends Error {
	override name = "TableInUseError";
}

/**
 * Runs work in a transaction that waits only briefly for locks. If a table is in use, it rolls back, pauses so that
 * queued requests run, and tries again.
 */
export const inShortTransaction = async (
	pool: Pool,
	what: string,
	{ attempts, note }: Retries,
	work: (client: PoolClient) => Promise<void>,
): Promise<void> =>
	retrying(what, { attempts, note }, async () => {
		const client = await pool.connect();
		try {
			await client.query("begin");
			// of this transaction only: a session's settings would reach other clients of a pooler
			await client.query(`set local lock_timeout = ${LOCK_TIMEOUT}`);
			await client.query("set local statement_timeout = 0");
			await work(client);
			await client.query("commit");
			client.release();
		} catch (error) {
			// closing the connection rolls back, even if the connection is what failed
			client.release(true);
			throw error;
		}
	});

/** Tries again while a lock cannot be had. */
export const retrying = async (what: string, { attempts, note }: Retries, work: () => Promise<void>): Promise<void> => {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await work();
		} catch (error) {
			if (!isLocked(error)) throw error;
			if (attempt >= attempts)
				throw new TableInUseError(
					`Could not run: ${what}. The table was in use at each of ${attempts} attempts. Look for long transactions in pg_stat_activity, then run migrate again: it continues here`,
					{ cause: error },
				);
			const pause = pauseAfter(attempt);
			note(
				`waiting, the table is in use (attempt ${attempt} of ${attempts}, next in ${(pause / 1000).toFixed(1)} s): ${what}`,
			);
			await sleep(pause);
		}
	}
};

/** Doubles with each attempt. The jitter keeps it from meeting a periodic job every time. */
const pauseAfter = (attempt: number): number =>
	Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);

/** lock_not_available or deadlock_detected */
const isLocked = (error: unknown): boolean =>
	error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");
