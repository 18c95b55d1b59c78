import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { serverEnvironment } from "./support/environment.ts";
import { runCommand } from "./support/run-command.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let env: Record<string, string>;
beforeAll(async () => {
	database = await createTestDatabase();
	// neither Redis nor a mail server runs, and migrate needs neither
	env = serverEnvironment(database.url, { REDIS_URL: "redis://127.0.0.1:9" });
});
afterAll(() => database.drop());

describe("migrate", () => {
	it("prints the plan without running it, then runs it, then has nothing left to do", async () => {
		const planned = await runCommand(["migrate", "--dry-run"], { env });
		expect(planned.code).toBe(0);
		expect(planned.stdout).toContain('create table "tenant"');

		const again = await runCommand(["migrate", "--dry-run", "--json"], { env });
		expect((again.json() as { statements: string[] }).statements.length).toBeGreaterThan(5);

		const done = await runCommand(["migrate", "--json"], { env });
		expect(done).toMatchObject({ code: 0, stderr: "" });
		expect((done.json() as { done: string[] }).done).toContain("created table tenant");

		const nothing = await runCommand(["migrate"], { env });
		expect(nothing).toMatchObject({
			code: 0,
			stdout: "Nothing to do: the database is up to date\n",
			stderr: "",
		});
	}, 120_000);

	it("says what waits for --contract, and refuses it while an old process is running", async () => {
		const admin = new pg.Client({ connectionString: database.url });
		await admin.connect();
		try {
			await admin.query('create unique index "user_email_key" on "user" (email)');
			const waiting = await runCommand(["migrate"], { env });
			expect(waiting).toMatchObject({ code: 0 });
			expect(waiting.stdout).toMatch(/Then run `tenants migrate --contract`:\n {2}drop index "user_email_key"\n$/);
			const planned = await runCommand(["migrate", "--dry-run"], { env });
			expect(planned.stdout).toBe('-- these wait for migrate --contract:\n\ndrop index "user_email_key";\n');

			await admin.query(`insert into "serviceProcess" ("id", "schema", "host") values ('old', 'another', 'old-host')`);
			const refused = await runCommand(["migrate", "--contract", "--json"], { env });
			expect(refused.code).toBe(1);
			expect(refused.error()).toMatchObject({
				code: "PROCESSES_RUNNING",
				message: expect.stringContaining("on old-host, last seen"),
				fix: expect.stringContaining("--force"),
			});
			const forced = await runCommand(["migrate", "--contract", "--force", "--json"], { env });
			expect(forced.json()).toEqual({ done: ['drop index "user_email_key"'], pending: [] });
		} finally {
			await admin.end();
		}
		const wrong = await runCommand(["migrate", "--attempts", "none", "--json"], { env });
		expect(wrong.error()).toMatchObject({ code: "USAGE" });
	}, 120_000);

	it("reports why the database cannot be reached, without its password", async () => {
		const { host } = new URL(database.url);
		const nobody = await runCommand(["migrate", "--json"], {
			env: { ...env, DATABASE_URL: "postgres://me:canary@127.0.0.1:9/none" },
		});
		expect(nobody.error()).toMatchObject({
			code: "DATABASE_UNAVAILABLE",
			message: "PostgreSQL: nothing is listening there",
		});
		const missing = await runCommand(["migrate", "--json"], {
			env: { ...env, DATABASE_URL: `postgres://postgres:canary@${host}/not_there` },
		});
		expect(missing.error().message).toBe("PostgreSQL: the database does not exist");
		expect(nobody.stderr + missing.stderr).not.toContain("canary");
	}, 60_000);

	it("lists all configuration mistakes at once", async () => {
		const { AUTH_URL: _, ...rest } = env;
		const wrong = await runCommand(["migrate"], { env: { ...rest, PORT: "many" } });
		expect(wrong.code).toBe(1);
		expect(wrong.stderr).toMatch(/2 mistakes:\n {2}- AUTH_URL is not set.*\n {2}- PORT is not a whole number/);
		expect(wrong.stderr).toContain("tenants doctor");
	});
});
