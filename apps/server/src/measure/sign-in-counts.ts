import { PLATFORM } from "better-auth-tenants";
import type { Logger } from "../observe/logger.ts";
import { SIGN_IN_TABLE } from "../schema/console-tables.ts";
import type { SignInOutcome } from "./sign-ins.ts";

export type SignInCounts = ReturnType<typeof createSignInCounts>;

type SignIn = { tenantId: string | null; method: string; outcome: SignInOutcome };
type Count = { tenantId: string; day: string; method: string; succeeded: number; refused: number };

/** Milliseconds between two writes. */
const INTERVAL = 5_000;
/** Counts in memory while the database does not respond. More are dropped: they are for a chart. */
const MOST = 20_000;

/**
 * Adds all counts with one statement. Tenants that are gone are left out, and those that exist stay until the statement ends.
 * The order is the same in all processes, so that none waits for another in a circle.
 */
const ADD_COUNTS = `insert into "${SIGN_IN_TABLE}" as "kept" ("tenantId", "day", "method", "succeeded", "refused")
	select "counted".* from unnest($1::text[], $2::date[], $3::text[], $4::bigint[], $5::bigint[])
		as "counted" ("tenantId", "day", "method", "succeeded", "refused")
	join (select "id" from "tenant" where "id" = any($1) order by "id" for key share) as "existing"
		on "existing"."id" = "counted"."tenantId"
	order by 1, 2, 3
	on conflict ("tenantId", "day", "method") do update
		set "succeeded" = "kept"."succeeded" + "excluded"."succeeded", "refused" = "kept"."refused" + "excluded"."refused"`;

type CountsWith = {
	pool: { query(text: string, values: unknown[]): Promise<unknown> };
	logger: Pick<Logger, "warn">;
	interval?: number;
};

/** Counts the sign-ins of tenants in memory, and adds them to the database every few seconds. No request waits for it. */
export const createSignInCounts = ({ pool, logger, interval = INTERVAL }: CountsWith) => {
	let counts = new Map<string, Count>();
	let isFailing = false;

	const add = (count: Count): void => {
		const key = JSON.stringify([count.tenantId, count.day, count.method]);
		const known = counts.get(key);
		if (known) {
			known.succeeded += count.succeeded;
			known.refused += count.refused;
		} else if (counts.size < MOST) counts.set(key, { ...count });
	};

	const write = async (): Promise<void> => {
		if (counts.size === 0) return;
		const written = [...counts.values()];
		counts = new Map();
		const column = <Key extends keyof Count>(name: Key): Count[Key][] => written.map((count) => count[name]);
		const values = [column("tenantId"), column("day"), column("method"), column("succeeded"), column("refused")];
		try {
			await pool.query(ADD_COUNTS, values);
			isFailing = false;
		} catch (error) {
			for (const count of written) add(count);
			if (!isFailing)
				logger.warn({ err: error }, "sign-in counts could not be written. They are kept for the next try");
			isFailing = true;
		}
	};

	let last = Promise.resolve();
	/** One statement at a time: a slow database must not collect connections. */
	const flush = (): Promise<void> => {
		last = last.then(write);
		return last;
	};
	const timer = setInterval(() => void flush(), interval);
	timer.unref();

	return {
		/** Counts a sign-in of a tenant that succeeded or was refused. */
		note: ({ tenantId, method, outcome }: SignIn): void => {
			if (tenantId === null || tenantId === PLATFORM) return;
			if (outcome !== "success" && outcome !== "refused") return;
			const day = new Date().toISOString().slice(0, 10);
			const isSuccess = outcome === "success";
			add({ tenantId, day, method, succeeded: isSuccess ? 1 : 0, refused: isSuccess ? 0 : 1 });
		},
		/** Resolves when everything that was counted before is written, or failed to be. */
		flush,
		close: async (): Promise<void> => {
			clearInterval(timer);
			await flush();
		},
	};
};
