import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/** Milliseconds between two attempts to connect. */
const PAUSE = 1_000;

/**
 * The pool as graphile-worker may use it.
 *
 * It does not get a connection to LISTEN on, the only one that it asks for with a callback. That would cost a connection per process, and does
 * nothing through PgBouncer in transaction mode. The process that adds a job wakes its own workers, and the others poll.
 *
 * While the database is down, a connection is waited for. graphile-worker would give up on the result of a job that is
 * done, and the job would run again.
 */
export const waitingPool = (pool: Pool, signal: AbortSignal): Pool => {
	const connect = async (): Promise<PoolClient> => {
		for (;;) {
			try {
				return await pool.connect();
			} catch (error) {
				if (signal.aborted) throw error;
				await sleep(PAUSE, undefined, { signal }).catch(() => {});
			}
		}
	};
	return new Proxy(pool, {
		get: (target, name) => {
			if (name === "connect") return (callback?: unknown) => (callback === undefined ? connect() : undefined);
			// its workers share a few connections, and it would warn about that
			if (name === "options") return undefined;
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === "function" ? value.bind(target) : value;
		},
	});
};
