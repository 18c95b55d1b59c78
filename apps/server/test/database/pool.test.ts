import { AsyncLocalStorage } from "node:async_hooks";
import { createServer } from "node:net";
import { inspect } from "node:util";
import type { Pool } from "pg";
import { afterEach, expect, it } from "vitest";
import { createPool } from "../../src/database/pool.ts";
import { keepLines } from "../auth/lines.ts";

const LOCAL = "postgres://postgres:hunter2@127.0.0.1:5432/postgres";

const pools: Pool[] = [];
const open = (given: Partial<Parameters<typeof createPool>[0]> = {}) => {
	const { logger, lines } = keepLines();
	const pool = createPool({ urls: [LOCAL], poolSize: 3, connectTimeout: 2, queryTimeout: 5, ...given }, logger);
	pools.push(pool);
	return { pool, lines };
};
afterEach(async () => {
	await Promise.all(pools.splice(0).map((pool) => pool.end()));
});

const pidOf = async (pool: Pool): Promise<number> => (await pool.query("select pg_backend_pid() as pid")).rows[0].pid;
const end = (pool: Pool, pid: number) => pool.query("select pg_terminate_backend($1)", [pid]);

it("survives an idle connection that the server ends, and logs it", async () => {
	const { pool, lines } = open();
	const { pool: other } = open();
	const pid = await pidOf(pool);
	await end(other, pid);
	await expect.poll(() => lines.join("")).toContain("database connection lost");
	expect(await pidOf(pool)).not.toBe(pid);
});

it("gives up on a statement after the query timeout, and drops its busy connection", async () => {
	const { pool } = open({ queryTimeout: 0.3 });
	const client = await pool.connect();
	// without the timeout, it would succeed
	await expect(client.query("select pg_sleep(3)")).rejects.toThrow(/timeout/);
	client.release();
	expect(pool.totalCount).toBe(0);
	await pool.query("select 1");
});

it("ends a transaction whose statement timed out, without waiting to roll back", async () => {
	const { pool } = open({ queryTimeout: 1 });
	const client = await pool.connect();
	await client.query("begin");
	await expect(client.query("select pg_sleep(5)")).rejects.toThrow();
	// it would time out if it waited behind the statement
	await expect(client.query("rollback")).rejects.toThrow(/^(?!.*timeout)/);
	client.release();
	await expect.poll(() => pool.totalCount).toBe(0);
});

it("never reuses a connection with an open transaction", async () => {
	const { pool } = open({ poolSize: 1 });
	const client = await pool.connect();
	await client.query("begin");
	client.release();
	const next = await pool.connect();
	expect(next.getTransactionStatus()).toBe("I");
	next.release();
});

it("fails instead of waiting if every connection is in use", async () => {
	const { pool } = open({ poolSize: 1, connectTimeout: 0.3 });
	const client = await pool.connect();
	// without the timeout, it would wait for the release below
	await expect(pool.connect()).rejects.toThrow(/timeout/);
	client.release();
});

it("uses the second host if the first refuses or hangs, within the connect timeout", async () => {
	let asked = 0;
	const silent = createServer(() => {
		asked += 1;
	});
	await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
	const address = silent.address();
	const port = typeof address === "object" ? address?.port : 0;
	try {
		for (const first of [
			"postgres://postgres@127.0.0.1:1/postgres",
			`postgres://postgres@127.0.0.1:${port}/postgres`,
		]) {
			// half of it for each host, which is longer than a busy machine stalls
			const { pool } = open({ urls: [first, LOCAL], connectTimeout: 8 });
			// fails if the first host uses up the whole timeout
			await pool.query("select 1");
			// and it stays there: the next connection does not try the first again
			const before = asked;
			await Promise.all([pool.query("select pg_sleep(0.05)"), pool.query("select pg_sleep(0.05)")]);
			expect(asked).toBe(before);
		}
	} finally {
		silent.close();
	}
});

it("keeps each caller's async context, even while waiting for a connection", async () => {
	const { pool } = open({ poolSize: 1 });
	const storage = new AsyncLocalStorage<number>();
	const seen = await Promise.all(
		[1, 2, 3, 4].map((number) =>
			storage.run(number, async () => {
				await pool.query("select pg_sleep(0.02)");
				return storage.getStore();
			}),
		),
	);
	expect(seen).toEqual([1, 2, 3, 4]);
});

it("never shows the password in errors, in the log or when printed", async () => {
	const { pool, lines } = open({ urls: ["postgres://postgres:hunter2@127.0.0.1:1/postgres"] });
	const error: unknown = await pool.query("select 1").catch((caught: unknown) => caught);
	expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain("hunter2");
	expect(inspect(pool.options, { depth: 9 })).not.toContain("hunter2");
	expect(lines.join("")).not.toContain("hunter2");
});

it("sends no named statements and no session settings, which PgBouncer would refuse", async () => {
	const received: Buffer[] = [];
	const server = createServer((socket) => socket.on("data", (data) => received.push(data)));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const port = typeof address === "object" ? address?.port : 0;
	const { pool } = open({ urls: [`postgres://me@127.0.0.1:${port}/name`], connectTimeout: 0.3 });
	await expect(pool.query("select 1")).rejects.toThrow();
	server.close();
	const startup = Buffer.concat(received).subarray(8).toString().split("\0").filter(Boolean);
	expect(startup).toEqual(["user", "me", "database", "name", "client_encoding", "UTF8"]);
});
