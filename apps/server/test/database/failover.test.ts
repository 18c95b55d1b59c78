import { setTimeout as wait } from "node:timers/promises";
import type { Pool } from "pg";
import { startPostgres } from "test-kit/servers/postgres-server";
import { afterAll, expect, it } from "vitest";
import { createPool } from "../../src/database/pool.ts";
import { keepLines } from "../auth/lines.ts";

const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
	for (const close of closers.reverse()) await close();
}, 60_000);

const openPool = (urls: string[], poolSize = 4) => {
	const { logger, lines } = keepLines();
	const pool = createPool({ urls, poolSize, connectTimeout: 4, queryTimeout: 5 }, logger);
	closers.push(() => pool.end());
	return { pool, lines };
};

const portOf = async (pool: Pool): Promise<number> => Number((await pool.query("show port")).rows[0].port);

it("writes to the primary, and to the promoted standby after the primary fails", async () => {
	const first = await startPostgres();
	closers.push(first.close);
	const second = await startPostgres({ follows: first.url });
	closers.push(second.close);

	// the standby is listed first: it responds and is skipped
	const { pool, lines } = openPool([second.url, first.url].map((url) => url.replace("@", ":hunter2@")));
	await pool.query("create table numbers (number int primary key)");
	expect(await portOf(pool)).toBe(first.port);

	// the whole pool at once
	await Promise.all(
		[1, 2, 3, 4].map((number) => pool.query("insert into numbers select $1 from pg_sleep(0.1)", [number])),
	);
	expect(pool.totalCount).toBe(4);
	await expect
		.poll(async () => {
			const standby = openPool([second.url]).pool;
			return (await standby.query("select count(*)::int as count from numbers")).rows[0].count;
		})
		.toBe(4);

	await first.end("immediate");
	await second.promote();
	for (let number = 5; number < 10; number += 1) await untilWritten(pool, number);
	expect(await portOf(pool)).toBe(second.port);
	expect(lines.join("")).toContain("the database has a new primary");
	expect(lines.join("")).not.toContain("hunter2");
}, 60_000);

it("drops open connections to a server that became read-only", async () => {
	const demoted = await startPostgres();
	closers.push(demoted.close);
	const other = await startPostgres();
	closers.push(other.close);
	const { pool } = openPool([demoted.url, other.url]);
	for (const { url } of [demoted, other])
		await openPool([url]).pool.query("create table numbers (number int primary key)");
	// four idle connections to the server that will be demoted
	await Promise.all(
		[1, 2, 3, 4].map((number) => pool.query("insert into numbers select $1 from pg_sleep(0.1)", [number])),
	);

	// without a restart, as behind a load balancer: the connections stay open but refuse writes
	const administrator = openPool([demoted.url]).pool;
	await administrator.query("alter system set default_transaction_read_only = on");
	await administrator.query("select pg_reload_conf()");
	await expect
		.poll(async () => (await administrator.query("show transaction_read_only")).rows[0].transaction_read_only)
		.toBe("on");

	// like Kysely: a connection from connect(), released without passing the error
	const write = async (number: number) => {
		const client = await pool.connect();
		try {
			await client.query("insert into numbers values ($1)", [number]);
		} finally {
			client.release();
		}
	};
	await expect(write(5)).rejects.toMatchObject({ code: "25006" });
	// one failure invalidates all of them
	await write(6);
	await Promise.all([7, 8, 9, 10].map(write));
	expect(await portOf(pool)).toBe(other.port);
}, 60_000);

const untilWritten = async (pool: Pool, number: number): Promise<void> => {
	for (;;) {
		try {
			await pool.query("insert into numbers values ($1) on conflict do nothing", [number]);
			return;
		} catch {
			await wait(20);
		}
	}
};
