import { setImmediate as turn } from "node:timers/promises";
import type { TestDatabase } from "test-kit/databases";
import type { IsBlocked } from "./scheduler.ts";

const COUNT = {
	postgres: `select count(*) as "count" from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
	mysql: `select count(*) as "count" from information_schema.innodb_trx t join information_schema.processlist p on p.id = t.trx_mysql_thread_id where t.trx_state = 'LOCK WAIT' and p.db = database()`,
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
