import { BetterAuthError } from "@better-auth/core/error";
import { createBreaker } from "../../lib/breaker.ts";
import { followChanges } from "./follow-changes.ts";
import type { AskChanges, CopyStore, SessionCache } from "./session-cache.ts";

/**
 * Options of `createSessionCache`.
 *
 * @example
 * ```ts
 * const cache = createSessionCache({ database, store });
 * ```
 */
export type SessionCacheOptions = {
	/** A connection to PostgreSQL that nothing else uses: a `Pool` of `pg` with `max: 1`. A busy pool would delay it. */
	database: { query: (sql: string) => Promise<{ rows: Record<string, unknown>[] }> };
	/** Where copies are kept, for example Redis. */
	store: CopyStore;
	/**
	 * The schema of the table of sessions.
	 * @default the first of the connection's search path
	 */
	schema?: string;
	/**
	 * The longest that a copy is used, in seconds. At most 300.
	 * @default 300
	 */
	maxAge?: number;
	/**
	 * Seconds between two looks at what has changed. Less than `lease`.
	 * @default 1
	 */
	every?: number;
	/**
	 * Seconds for which a look counts. Within this time, a change made by another process is in force. At most 60.
	 * @default 5
	 */
	lease?: number;
	/**
	 * Seconds to wait for a copy. Above it, the session is read from the database, and for a second the store is not asked.
	 * @default 0.15
	 */
	timeout?: number;
	/**
	 * Called when the changes cannot be read. Sessions are then read from the database.
	 * @default does nothing
	 */
	onFailure?: (error: unknown) => void;
};

/**
 * What `createSessionCache` returns, for `tenantAuth({ sessionCache })`.
 *
 * @example
 * ```ts
 * const sessionCache: PostgresSessionCache = createSessionCache({ database, store });
 * ```
 */
export type PostgresSessionCache = SessionCache & {
	/** Begins to look at the changes. Before, no copy is used. */
	start: () => Promise<void>;
	/** Ends it. Copies are used until the last look is too old. */
	stop: () => void;
	/** For metrics: whether copies may be used now, whether the store responds, and how many changes are remembered. */
	state: () => { isLeased: boolean; isStoreUp: boolean; remembered: number };
};

const MOST_AGE = 300;
const MOST_LEASE = 60;

const assertWithin = (name: string, value: number, most: number): void => {
	if (!(value > 0 && value <= most))
		throw new BetterAuthError(
			`createSessionCache: ${name} is ${value}. Set it to at most ${most} seconds, and above 0.`,
		);
};

/**
 * A cache of sessions for `tenantAuth({ sessionCache })`. PostgreSQL records what changes (`sessionCacheSteps`), and each process
 * follows that. So what the store loses, keeps too long or brings back changes nothing but the speed.
 *
 * @example
 * ```ts
 * const sessionCache = createSessionCache({ database, store });
 * await sessionCache.start();
 * ```
 */
export const createSessionCache = (options: SessionCacheOptions): PostgresSessionCache => {
	const {
		database,
		store,
		schema = null,
		maxAge = MOST_AGE,
		every = 1,
		lease = 5,
		timeout = 0.15,
		onFailure,
	} = options;
	// changes are remembered for twice as long as copies are used
	assertWithin("maxAge", maxAge, MOST_AGE);
	assertWithin("lease", lease, MOST_LEASE);
	assertWithin("every", every, lease);
	assertWithin("timeout", timeout, lease);
	const ask: AskChanges = async (sql) => (await database.query(sql)).rows;
	const {
		forget: _forget,
		look: _look,
		...follower
	} = followChanges({
		ask,
		schema,
		every: every * 1_000,
		lease: lease * 1_000,
		maxAge: maxAge * 1_000,
		...(onFailure ? { onFailure } : {}),
	});
	const patient = boundStore(store, timeout * 1_000);
	return {
		...follower,
		store: patient.store,
		maxAge,
		state: () => ({ ...follower.state(), isStoreUp: patient.isUp() }),
	};
};

/** A store that hangs or fails costs few requests time. One that is full may still be read. */
const boundStore = (store: CopyStore, patience: number) => {
	const [reads, writes] = [createBreaker({ patience }), createBreaker({ patience })];
	const bounded: CopyStore = {
		get: (key) => reads.run(() => store.get(key)),
		set: (key, value, seconds) => writes.run(() => store.set(key, value, seconds)),
		delete: (key) => writes.run(() => store.delete(key)),
	};
	return { store: bounded, isUp: (): boolean => reads.isClosed() && writes.isClosed() };
};
