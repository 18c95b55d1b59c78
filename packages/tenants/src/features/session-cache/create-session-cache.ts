import { BetterAuthError } from "@better-auth/core/error";
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
	/** For metrics: whether copies are used now, and how many changes are remembered. */
	state: () => { isLeased: boolean; remembered: number };
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
	const { database, store, schema = null, maxAge = MOST_AGE, every = 1, lease = 5, onFailure } = options;
	// changes are remembered for twice as long as copies are used
	assertWithin("maxAge", maxAge, MOST_AGE);
	assertWithin("lease", lease, MOST_LEASE);
	assertWithin("every", every, lease);
	const ask: AskChanges = async (sql) => (await database.query(sql)).rows;
	const follower = followChanges({
		ask,
		schema,
		every: every * 1_000,
		lease: lease * 1_000,
		maxAge: maxAge * 1_000,
		...(onFailure ? { onFailure } : {}),
	});
	return { store, maxAge, ...follower };
};
