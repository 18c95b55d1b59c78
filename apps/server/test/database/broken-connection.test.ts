import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { createPool } from "../../src/database/pool.ts";
import { createTestDatabase } from "../support/database.ts";
import { testEnvironment } from "../support/environment.ts";
import { keepLog } from "../support/log.ts";

it("survives a connection that breaks while it is checked out between two statements", async () => {
	const database = await createTestDatabase();
	onTestFinished(database.drop);
	const log = keepLog("debug");
	const pool = createPool(readConfig(testEnvironment(database.url, {})).database, log.logger);
	onTestFinished(() => pool.end());
	const client = await pool.connect();
	await client.query("begin");
	const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
	// without the pool's listener, this event would have ended the process
	expect(client.listenerCount("error")).toBeGreaterThan(0);
	const ended = new Promise((resolve) => client.once("end", resolve));
	await pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
	await ended;
	await expect(client.query("commit")).rejects.toThrow();
	client.release();
	expect((await pool.query<{ one: number }>("select 1 as one")).rows).toEqual([{ one: 1 }]);
});
