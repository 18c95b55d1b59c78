import type { Pool } from "pg";
import { findTables } from "../database/find-tables.ts";
import { JOBS_SCHEMA } from "../jobs/schema.ts";
import { MAIL_TASK } from "../mail/outbox.ts";
import { COUNTED_DAYS, EVENT_TABLE, KEPT_DAYS, SIGN_IN_TABLE } from "../schema/console-tables.ts";
import { SWEPT_TABLES, type SweptTable } from "../schema/expiring-tables.ts";

const EXPIRING = Object.keys(SWEPT_TABLES) as SweptTable[];

/** What is swept, and counted by these names. */
export const SWEPT = [...EXPIRING, "mail", "signInCount", "event"] as const;
export type Swept = (typeof SWEPT)[number];

/** Rows per statement. Each holds its locks for milliseconds. */
const BATCH = 1_000;
/** Mails that no process sends, because SMTP_URL was removed. The last link in one has expired after two days. */
const OLD_MAIL = "3 days";

type SweepWith = {
	pool: Pick<Pool, "query">;
	/** called after each batch that deleted something */
	onSwept: (what: Swept, rows: number) => void;
	/** checked between batches */
	isOver?: () => boolean;
};

/**
 * Deletes expired rows of all tenants and of the platform, old mails, and old counts and events of the console, in batches.
 * Returns false if it was stopped before everything was deleted. What is in Redis expires by itself.
 */
export const sweep = async ({ pool, onSwept, isOver = () => false }: SweepWith): Promise<boolean> => {
	const existing = await findTables(pool, Object.values(OPTIONAL_TABLE));
	for (const what of SWEPT) {
		// also if the plugin or the console is off by now
		const table = OPTIONAL_TABLE[what];
		if (table !== undefined && !existing.includes(table)) continue;
		for (let rows = BATCH; rows === BATCH; ) {
			if (isOver()) return false;
			rows = (await pool.query(STATEMENTS[what])).rowCount ?? 0;
			if (rows > 0) onSwept(what, rows);
		}
	}
	return true;
};

/**
 * Finds the rows by the index on `expiresAt`, oldest first, and deletes them by their ids. Rows that a request is
 * changing are skipped.
 */
const expiredIn = (table: SweptTable): string => `delete from "${table}" where "id" = any(array(
	select "id" from "${table}" where "expiresAt" < now() - interval '${SWEPT_TABLES[table]}'
	order by "expiresAt" limit ${BATCH} for update skip locked
))`;

/** Tables that exist only if their plugin or the console was on. */
const OPTIONAL_TABLE: Partial<Record<Swept, string>> = {
	deviceCode: "deviceCode",
	oauthAccessToken: "oauthAccessToken",
	oauthRefreshToken: "oauthRefreshToken",
	oauthClientAssertion: "oauthClientAssertion",
	tenantInvitation: "tenantInvitation",
	signInCount: SIGN_IN_TABLE,
	event: EVENT_TABLE,
};

const oldIn = (table: string, column: string, days: number): string => `delete from "${table}" where ctid = any(array(
	select ctid from "${table}" where "${column}" < now() - interval '${days} days'
	order by "${column}" limit ${BATCH} for update skip locked
))`;

/** The statements by what they delete. A test reads their plans. */
export const STATEMENTS: Record<Swept, string> = {
	session: expiredIn("session"),
	verification: expiredIn("verification"),
	deviceCode: expiredIn("deviceCode"),
	oauthAccessToken: expiredIn("oauthAccessToken"),
	oauthRefreshToken: expiredIn("oauthRefreshToken"),
	oauthClientAssertion: expiredIn("oauthClientAssertion"),
	tenantInvitation: expiredIn("tenantInvitation"),
	mail: `select from "${JOBS_SCHEMA}".complete_jobs(array(
		select id from "${JOBS_SCHEMA}".jobs
		where task_identifier = '${MAIL_TASK}' and locked_at is null and created_at < now() - interval '${OLD_MAIL}'
		limit ${BATCH}
	))`,
	// one day more: a day is over at different times
	signInCount: oldIn(SIGN_IN_TABLE, "day", COUNTED_DAYS + 1),
	event: oldIn(EVENT_TABLE, "at", KEPT_DAYS),
};
