import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { SWEPT } from "../../src/sweep/sweep.ts";
import { createTestDatabase } from "../support/database.ts";
import { serverEnvironment } from "./support/environment.ts";
import { runCommand } from "./support/run-command.ts";

it("deletes expired rows and reports how many, and explains a database without tables", async () => {
	const database = await createTestDatabase((url) => readConfig(serverEnvironment(url)));
	const pool = new pg.Pool({ connectionString: database.url });
	onTestFinished(async () => {
		await pool.end();
		await database.drop();
	});
	for (const [tenantId, hours] of [
		["platform", -2],
		["acme", -2],
		["acme", 2],
	])
		await pool.query(
			`insert into "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt", "tenantId")
			values (gen_random_uuid()::text, 'id', 'value', now() + make_interval(hours => $2), now(), now(), $1)`,
			[tenantId, hours],
		);
	const env = serverEnvironment(database.url);
	const ran = await runCommand(["sweep", "--json"], { env });
	expect([ran.code, ran.stderr]).toEqual([0, ""]);
	expect(ran.json()).toEqual({ swept: { ...Object.fromEntries(SWEPT.map((what) => [what, 0])), verification: 2 } });
	expect((await pool.query(`select from "verification"`)).rowCount).toBe(1);

	await pool.query(`drop table "session" cascade`);
	const failed = await runCommand(["sweep", "--json"], { env });
	expect(failed.code).toBe(1);
	expect(failed.error()).toMatchObject({
		code: "DATABASE_UNAVAILABLE",
		fix: expect.stringContaining("tenants migrate"),
	});
});
