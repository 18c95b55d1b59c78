import { BetterAuthError } from "@better-auth/core/error";
import * as z from "zod";
import { quoteIn } from "../database/quote.ts";
import { CHANGES, RECORDERS } from "./change-log.ts";
import { REMEMBERED, rememberChanges } from "./remembered-changes.ts";
import type { AskChanges, Copied, SessionCache } from "./session-cache.ts";

const FIRST = "0";

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
	onFailure?: (error: unknown) => void;
};

const seen = z.tuple([
	z.object({
		xmin: z.string(),
		at: z.coerce.number(),
		recorders: z.coerce.number(),
		changes: z.array(z.tuple([z.string(), z.string().nullable()])),
	}),
]);

export type Follower = Pick<SessionCache, "readAt" | "isCurrent" | "follow"> & {
	start: () => Promise<void>;
	stop: () => void;
	/** for metrics: whether copies are used, and how many changes are remembered */
	state: () => { isLeased: boolean; remembered: number };
};

/**
 * Follows the changes that PostgreSQL records. A copy is used while the last look is young (the lease) and nothing of its user has
 * changed: so a process that is cut off from the database, or stands still, uses none.
 *
 * Rows are found by the transaction that wrote them. A number or a time would be taken when a row is written, and the transaction may
 * commit after a later one: whoever looked in between would never see it. Everything that was not committed at a look has at least its
 * `xmin`, where the next look begins.
 */
export const followChanges = ({
	ask,
	schema,
	every,
	lease,
	maxAge,
	now = () => performance.now(),
	onFailure,
}: With): Follower => {
	const { look, forget } = createLog(ask, schema);
	const remembered = rememberChanges();
	/** what may be deleted from the table: below an `xmin` that is as old as a change may count */
	const done: { xmin: string; since: number }[] = [];
	let cursor = FIRST;
	let leasedUntil = Number.NEGATIVE_INFINITY;
	/** the database's clock at the last look, and ours */
	let clock: { at: number; since: number } | null = null;

	const tell = (error: unknown): void => {
		leasedUntil = Number.NEGATIVE_INFINITY;
		try {
			onFailure?.(error);
		} catch {
			// an error of the application must not keep requests from going on
		}
	};

	const poll = async (): Promise<void> => {
		const began = now();
		let found = await look(cursor);
		// another database, or one that was restored: its transactions have numbers that this process has passed
		if (BigInt(found.xmin) < BigInt(cursor)) found = await look(FIRST);
		remembered.add(found.changes, now());
		cursor = found.xmin;
		clock = { at: found.at, since: began };
		leasedUntil = began + lease;
		if (began - (done.at(-1)?.since ?? Number.NEGATIVE_INFINITY) >= every)
			done.push({ xmin: found.xmin, since: began });
	};

	const forgetOld = async (): Promise<void> => {
		const old = done.filter(({ since }) => now() - since > REMEMBERED);
		const last = old.at(-1);
		if (!last) return;
		await forget(last.xmin);
		done.splice(0, old.length);
	};

	let running: Promise<void> = Promise.resolve();
	let next: Promise<void> | null = null;
	/** A look that begins after the call. All that wait for the running one share the next. */
	const follow = (): Promise<void> => {
		next ??= running.then(() => {
			next = null;
			running = withinTime(poll(), lease).catch(tell);
			return running;
		});
		return next;
	};

	let timer: ReturnType<typeof setInterval> | undefined;
	const isLeased = (): boolean => now() < leasedUntil;
	/** The time of the database, never ahead of it. */
	const databaseNow = (): number | null => (clock && isLeased() ? clock.at : null);

	return {
		follow,
		readAt: databaseNow,
		isCurrent: ({ tenantId, userId, readAt }: Copied): boolean => {
			if (!clock || !isLeased()) return false;
			// the oldest that it can be: the database's clock has gone on since the look
			const age = clock.at + (now() - clock.since) - readAt;
			return age >= 0 && age < maxAge && !remembered.has(tenantId, userId);
		},
		start: async () => {
			await follow();
			timer = setInterval(() => void follow().then(forgetOld).catch(tell), every);
			timer.unref?.();
		},
		stop: () => clearInterval(timer),
		state: () => ({ isLeased: isLeased(), remembered: remembered.size() }),
	};
};

/** A look that takes longer than it counts says nothing, and a database that never responds must not hold requests. */
const withinTime = async (work: Promise<void>, milliseconds: number): Promise<void> => {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new BetterAuthError(LATE)), milliseconds);
	});
	try {
		await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
};

const LATE = "createSessionCache: the database does not say what has changed. Check the connection of the cache.";

/** The table that PostgreSQL records changes in. */
const createLog = (ask: AskChanges, schema: string | null) => {
	const table = quoteIn("postgres")({ schema, table: CHANGES });
	const changed = (from: string): string =>
		`select json_agg(json_build_array("tenantId", "userId")) from (select distinct "tenantId", "userId" from ${table} where xid >= '${from}'::xid8) as changed`;
	// in the schema of the table, and turned on
	const recorders = `select count(*) from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = to_regclass('${table}') where p.pronamespace = c.relnamespace and t.tgenabled in ('O', 'A') and t.tgname = p.proname and p.proname in (${RECORDERS.map((name) => `'${name}'`).join(", ")})`;
	return {
		/** One statement, so that all of it is of one moment. */
		look: async (from: string): Promise<z.infer<typeof seen>[0]> => {
			const rows = await ask(
				`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, (extract(epoch from clock_timestamp()) * 1000)::bigint::text as at, (${recorders}) as recorders, coalesce((${changed(from)}), '[]'::json) as changes`,
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
			await ask(`delete from ${table} where xid < '${before}'::xid8`);
		},
	};
};
