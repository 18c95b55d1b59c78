import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "../observe/logger.ts";
import { CONTRACTING } from "./migration-turn.ts";

/**
 * The running processes, each with the schema that it expects. A table works through PgBouncer and after a failover,
 * where application_name in pg_stat_activity does not: docs/decisions/0031-expand-then-contract.md.
 */
export const PROCESS_TABLE = "serviceProcess";
export const CREATE_PROCESS_TABLE = `create table if not exists "${PROCESS_TABLE}" ("id" text primary key, "schema" text not null, "host" text not null, "startedAt" timestamptz not null default now(), "seenAt" timestamptz not null default now())`;

/** Milliseconds between two signs of life. */
const INTERVAL = 10_000;
/** Seconds after which a silent process counts as ended. Several signs of life may get lost before. */
const SILENCE = 60;
const POLL = 250;

export type RunningProcess = { host: string; schema: string; secondsAgo: number };

/** Whether the table of processes exists. */
export const hasProcessTable = async (pool: Pool): Promise<boolean> => {
	const { rows } = await pool.query<{ found: boolean }>(
		`select to_regclass('"${PROCESS_TABLE}"') is not null as found`,
	);
	return rows[0]?.found === true;
};

/** Returns the running processes, longest running first. */
export const findProcesses = async (pool: Pick<Pool, "query">): Promise<RunningProcess[]> => {
	const { rows } = await pool.query<RunningProcess>(
		`select "host", "schema", extract(epoch from now() - "seenAt")::int as "secondsAgo" from "${PROCESS_TABLE}"
		where "seenAt" > now() - interval '${SILENCE} seconds' order by "startedAt", "id"`,
	);
	return rows;
};

type Registration = { pool: Pool; schema: string; logger: Logger };

/**
 * Registers this process and gives signs of life until the returned function is called. Waits while `migrate
 * --contract` runs, which must know every process. Without the table nothing is registered: the schema check, which
 * comes next, says that it is missing.
 */
export const registerProcess = async ({ pool, schema, logger }: Registration): Promise<() => Promise<void>> => {
	if (!(await hasProcessTable(pool))) return async () => {};
	const values = [randomUUID(), schema, hostname()];
	const insert = (condition: string): string =>
		`insert into "${PROCESS_TABLE}" ("id", "schema", "host") select $1, $2, $3 where ${condition}
		on conflict ("id") do update set "seenAt" = now()`;
	while ((await pool.query(insert(`pg_try_advisory_xact_lock_shared(${CONTRACTING})`), values)).rowCount === 0)
		await sleep(POLL);
	// those that were killed
	await pool.query(`delete from "${PROCESS_TABLE}" where "seenAt" < now() - interval '1 day'`);

	let isSilent = false;
	const giveSign = async (): Promise<void> => {
		try {
			// inserts it again if the row was deleted
			await pool.query(insert("true"), values);
			isSilent = false;
		} catch (error) {
			if (!isSilent) logger.warn({ err: error }, "could not update this process in the table of processes");
			isSilent = true;
		}
	};
	let last = Promise.resolve();
	const timer = setInterval(() => {
		last = giveSign();
	}, INTERVAL);
	timer.unref();
	return async () => {
		clearInterval(timer);
		await last;
		await pool.query(`delete from "${PROCESS_TABLE}" where "id" = $1`, [values[0]]);
	};
};
