import { BetterAuthError } from "@better-auth/core/error";
import * as z from "zod";
import { withinTime } from "../../lib/within-time.ts";
import { quoteIn } from "../database/quote.ts";
import { CHANGES, EVERY_TENANT, endOfId, RECORDERS } from "./change-log.ts";
import { REMEMBERED, rememberChanges } from "./remembered-changes.ts";
import type { AskChanges, Copied, SessionCache } from "./session-cache.ts";

/** The longest that a request waits for a look, in milliseconds. */
const PATIENCE = 2_000;
/** How far the database's clock may step back, in milliseconds. Clocks are adjusted all the time, by less. */
const STEP = 2_000;

type With = {
	/** on a connection of its own */
	ask: AskChanges;
	schema: string | null;
	/** milliseconds between two looks */
	every: number;
	/** milliseconds for which a look counts, from before it was sent */
	lease: number;
	/** milliseconds that a copy is used at most; less than `REMEMBERED` */
	maxAge: number;
	/** a clock that is never set */
	now?: () => number;
	/** a clock that goes on while the machine is paused */
	wallClock?: () => number;
	onFailure?: (error: unknown) => void;
};

const seen = z.tuple([
	z.object({
		server: z.string(),
		snapshot: z.string().regex(/^\d+:\d+:[\d,]*$/),
		at: z.coerce.number(),
		recorders: z.coerce.number(),
		changes: z.array(z.tuple([z.string(), z.string().nullable()])),
	}),
]);
type Seen = z.infer<typeof seen>[0];

export type Follower = Pick<SessionCache, "stamp" | "isCurrent" | "follow"> & {
	start: () => Promise<void>;
	stop: () => void;
	/** Looks now, whether or not the last look failed. Never throws. */
	look: () => Promise<void>;
	/** Deletes from the table what no process needs any more. */
	forget: () => Promise<void>;
	/** for metrics: whether copies are used, and how many changes are remembered */
	state: () => { isLeased: boolean; remembered: number };
};

/**
 * Follows the changes that PostgreSQL records. A copy is used while the last look is young (the lease) and nothing of its user has
 * changed: so a process that is cut off from the database, or stands still, uses none.
 *
 * Rows are found by the transaction that wrote them. A number or a time would be taken when a row is written, and the transaction may
 * commit after a later one: whoever looked in between would never see it. Each look asks for what the snapshot of the last one could
 * not see.
 */
export const followChanges = (given: With): Follower => {
	const { ask, schema, every, lease, maxAge, onFailure } = given;
	const { now = () => performance.now(), wallClock = Date.now } = given;
	const { look: read, forget } = createLog(ask, schema);
	const remembered = rememberChanges();
	/** what may be deleted from the table: below an `xmin` that is as old as a change may count */
	const done: { xmin: string; since: number }[] = [];
	let last: Seen | null = null;
	const held = createLease(lease, { now, wallClock });
	/** the database's clock at the last look, and ours */
	let clock: { at: number; since: number; until: number } | null = null;
	/** while looks fail, nobody waits for one */
	let hasFailed = false;
	/** there were changes since, which the next look may have begun before */
	let hasMissed = false;

	const tell = (error: unknown): void => {
		held.end();
		hasFailed = true;
		try {
			onFailure?.(error);
		} catch {
			// an error of the application must not keep requests from going on
		}
	};

	const poll = async (isOver: () => boolean): Promise<void> => {
		const began = now();
		const grant = held.begin();
		let found = await read(last?.snapshot ?? null);
		// another server: what the last snapshot could not see says nothing here
		if (last && found.server !== last.server) found = await read(null);
		// whoever waited went on without, so this says nothing about their changes
		if (isOver()) return;
		remembered.add(found.changes, now());
		// a change that is forgotten already could seem younger than it is
		if (clock && found.at < clock.at + (began - clock.until) - STEP) remembered.add([[EVERY_TENANT, null]], now());
		last = found;
		clock = { at: found.at, since: began, until: now() };
		if (began - (done.at(-1)?.since ?? Number.NEGATIVE_INFINITY) >= every)
			done.push({ xmin: xminOf(found.snapshot), since: began });
		hasFailed = false;
		const isEnough = !hasMissed;
		hasMissed = false;
		if (isEnough) grant();
		else void follow();
	};

	const forgetOld = async (): Promise<void> => {
		const old = done.filter(({ since }) => now() - since > REMEMBERED);
		const latest = old.at(-1);
		if (!latest) return;
		await forget(latest.xmin);
		done.splice(0, old.length);
	};

	const look = inTurn((isOver) =>
		// a database that never responds must not hold requests
		withinTime(poll(isOver), Math.min(lease, PATIENCE), () => new BetterAuthError(LATE)).catch(tell),
	);
	const follow = async (): Promise<void> => {
		if (hasFailed) hasMissed = true;
		else await look();
	};

	const timer = createTimer(every, () => void look().then(forgetOld).catch(tell));
	return {
		follow,
		look,
		forget: forgetOld,
		stamp: () => (last && clock && held.isHeld() ? `${clock.at}@${last.server}` : null),
		isCurrent: ({ tenantId, userId, stamp }: Copied): boolean => {
			if (!clock || !last || !held.isHeld()) return false;
			const [at, server] = [Number(stamp.slice(0, stamp.indexOf("@"))), stamp.slice(stamp.indexOf("@") + 1)];
			// the oldest that it can be: the database's clock has gone on since the look
			const age = clock.at + (now() - clock.since) - at;
			return server === last.server && age >= 0 && age < maxAge && !remembered.has(tenantId, endOfId(userId));
		},
		start: () => timer.start(look),
		stop: timer.stop,
		state: () => ({ isLeased: held.isHeld(), remembered: remembered.size() }),
	};
};

/** Runs work that begins after each call, one at a time. All that wait for the running one share the next. */
const inTurn = (work: (isOver: () => boolean) => Promise<void>): (() => Promise<void>) => {
	let running: Promise<void> = Promise.resolve();
	let next: Promise<void> | null = null;
	return () => {
		next ??= running.then(() => {
			next = null;
			let isOver = false;
			running = work(() => isOver).finally(() => {
				isOver = true;
			});
			return running;
		});
		return next;
	};
};

/**
 * A time that counts from its beginning, by a clock that is never set, and by one that goes on while the machine is paused. Whichever is
 * over first.
 */
const createLease = (milliseconds: number, { now, wallClock }: { now: () => number; wallClock: () => number }) => {
	const lapsed = { now: Number.NEGATIVE_INFINITY, wall: Number.NEGATIVE_INFINITY };
	let until = lapsed;
	return {
		/** The lease begins now. It is held once that is granted. */
		begin: () => {
			const given = { now: now() + milliseconds, wall: wallClock() + milliseconds };
			return (): void => {
				until = given;
			};
		},
		end: (): void => {
			until = lapsed;
		},
		isHeld: (): boolean => now() < until.now && wallClock() < until.wall,
	};
};

const createTimer = (every: number, tick: () => void) => {
	let starts = 0;
	let timer: ReturnType<typeof setInterval> | undefined;
	return {
		/** After the first, which the caller waits for. */
		start: async (first: () => Promise<void>): Promise<void> => {
			starts += 1;
			const own = starts;
			clearInterval(timer);
			await first();
			// stopped or started again meanwhile
			if (own !== starts) return;
			timer = setInterval(tick, every);
			timer.unref?.();
		},
		stop: (): void => {
			starts += 1;
			clearInterval(timer);
		},
	};
};

/** Where a look begins. */
const xminOf = (snapshot: string): string => snapshot.slice(0, snapshot.indexOf(":"));

const LATE = "createSessionCache: the database does not say what has changed. Check the connection of the cache.";

/** The table that PostgreSQL records changes in. */
const createLog = (ask: AskChanges, schema: string | null) => {
	const table = quoteIn("postgres")({ schema, table: CHANGES });
	// of the server that a dump was made on: no transaction of this one that has committed can have it
	const isForeign = "xid >= pg_snapshot_xmax(pg_current_snapshot())";
	/** What the last look could not see. What has committed since is in no snapshot of before. */
	const isNew = (snapshot: string): string =>
		`xid >= '${xminOf(snapshot)}'::xid8 and not pg_visible_in_snapshot(xid, '${snapshot}'::pg_snapshot)`;
	const changed = (snapshot: string | null): string =>
		`select json_agg(json_build_array("tenantId", "userId")) from (select distinct "tenantId", "userId" from ${table} where not (${isForeign})${snapshot === null ? "" : ` and ${isNew(snapshot)}`}) as changed`;
	// in the schema of the table, and turned on
	const recorders = `select count(*) from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = to_regclass('${table}') where p.pronamespace = c.relnamespace and t.tgenabled in ('O', 'A') and t.tgname = p.proname and p.proname in (${RECORDERS.map((name) => `'${name}'`).join(", ")})`;
	// another one after a restart and a failover, which may have lost what was committed
	const server = "extract(epoch from pg_postmaster_start_time())::text";
	return {
		/** One statement, so that all of it is of one moment. */
		look: async (since: string | null): Promise<Seen> => {
			const rows = await ask(
				`select ${server} as server, pg_current_snapshot()::text as snapshot, (extract(epoch from clock_timestamp()) * 1000)::bigint::text as at, (${recorders}) as recorders, coalesce((${changed(since)}), '[]'::json) as changes`,
			);
			const [found] = seen.parse(rows);
			// without them, nothing would ever seem to change
			if (found.recorders !== RECORDERS.length)
				throw new BetterAuthError(
					"createSessionCache: the triggers that record changes are missing or turned off. Run the statements of sessionCacheSteps.",
				);
			return found;
		},
		forget: async (before: string): Promise<void> => {
			await ask(`delete from ${table} where xid < '${before}'::xid8 or ${isForeign}`);
		},
	};
};
