import type { Pool as MysqlPool } from "mysql2/promise";
import { Pool } from "pg";
import type { World } from "test-kit/world";

/**
 * Makes the database wait for a lock before it inserts the user `slow`, and reject dates after 2038, as MySQL does
 * anyway.
 */
export const slowDown = async ({ database }: World, kind: "postgres" | "mysql") => {
	if (kind === "mysql") {
		await database.query(
			`create trigger slowly before insert on "user" for each row set @waited = if(new."name" = 'slow', get_lock(database(), 120) + release_lock(database()), 0)`,
		);
		return;
	}
	await database.query(`alter table "user" add constraint early check ("createdAt" < '2038-01-19')`);
	await database.query(
		`create function slowly() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(1); return new; end $$`,
	);
	await database.query(
		`create trigger slowly before insert on "user" for each row when (new."name" = 'slow') execute function slowly()`,
	);
};

export const WAITING = {
	postgres: `select count(*) as n from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
	mysql: `select count(*) as n from information_schema.processlist where db = database() and state = 'User lock'`,
};

/** Takes the lock that the user `slow` waits for. */
export const takeLock = async ({ database: { connection } }: World): Promise<() => Promise<void>> => {
	if (connection instanceof Pool) {
		const client = await connection.connect();
		await client.query("select pg_advisory_lock(1)");
		return async () => {
			await client.query("select pg_advisory_unlock(1)");
			client.release();
		};
	}
	const client = await (connection as MysqlPool).getConnection();
	await client.query("select get_lock(database(), 120)");
	return async () => {
		await client.query("select release_lock(database())");
		client.release();
	};
};
