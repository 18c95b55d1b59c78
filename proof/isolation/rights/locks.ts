import { setImmediate as turn } from "node:timers/promises";
import type { TestDatabase } from "test-kit/databases";
import type { IsBlocked } from "./scheduler.ts";

/** How many requests wait for a lock. MariaDB counts for all its databases: its tables of locks are copies, up to 100 ms old. */
const COUNT = {
	postgres: `select count(*) as "count" from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
	mysql: `select variable_value as "count" from information_schema.global_status where variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'`,
};

/** Whether a request waits for another one: asks the database, so that a slow machine changes nothing about a run. */
export const lockWatch =
	({ kind, query }: Pick<TestDatabase, "kind" | "query">): IsBlocked =>
	async (ticket, others) => {
		if (kind === "sqlite") {
			await turn();
			return ticket.waitsForConnection;
		}
		const [row] = await query(COUNT[kind]);
		return Number(row?.count) > others;
	};
