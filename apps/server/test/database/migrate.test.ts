import { afterEach, expect, it } from "vitest";
import { migrate, planMigration } from "../../src/schema/migrate.ts";
import { checkSchema, findPending } from "../../src/schema/schema-check.ts";
import { openProcess, type Process } from "../auth/world.ts";
import { createTestDatabase } from "../support/database.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const emptyDatabase = async () => {
	const database = await createTestDatabase();
	closers.push(database.drop);
	return (environment: Record<string, string> = {}): Process => {
		const opened = openProcess({ DATABASE_URL: database.url, ...environment });
		closers.push(opened.close);
		return opened;
	};
};
const quiet = () => {};

it("creates everything in an empty database, reports it, and has nothing to do the second time", async () => {
	const open = await emptyDatabase();
	const { auth, pool } = open();
	const plan = await planMigration(auth, pool);
	expect(plan.expand.join("\n")).toMatch(/create table "tenant"/);
	expect(plan.contract).toEqual([]);
	expect(await checkSchema(auth, pool)).toContain("Table tenant is missing. Run `migrate`");

	const told: string[] = [];
	const done = await migrate(auth, pool, (what) => told.push(what));
	expect(done).toContain("created table tenant");
	expect(told).toEqual(done);
	expect(await checkSchema(auth, pool)).toEqual([]);
	expect(await planMigration(auth, pool)).toEqual({ expand: [], contract: [] });
	expect(await migrate(auth, pool, quiet)).toEqual([]);
	expect((await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } })).slug).toBe("acme");
});

it("adds what new plugins need to a database with users, and reports what is missing before", async () => {
	const open = await emptyDatabase();
	const before = open();
	await migrate(before.auth, before.pool, quiet);
	const acme = await before.auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	const globex = await before.auth.api.createTenant({ body: { name: "Globex", slug: "globex" } });
	for (const { id } of [acme, globex]) expect((await before.signUp(id, "ada@example.com")).status).toBe(200);

	const after = open({ PLUGINS: "organization,two-factor,username,admin,jwt" });
	const missing = await checkSchema(after.auth, after.pool);
	expect(missing).toContain("Table organization is missing. Run `migrate`");
	expect(missing).toContain("Table user has no column username. Run `migrate`");
	expect((await planMigration(after.auth, after.pool)).expand.join("\n")).toContain('create table "organization"');

	const done = await migrate(after.auth, after.pool, quiet);
	expect(done.join("\n")).toMatch(/added .*username.* to table user/);
	expect(await checkSchema(after.auth, after.pool)).toEqual([]);
	// existing users remain, and both tenants may have the same username
	for (const { id } of [acme, globex]) {
		expect((await after.signIn(id, "ada@example.com")).status).toBe(200);
		const body = { name: "Bo", email: "bo@example.com", password: "correct horse battery", username: "bobby" };
		expect((await after.call("/tenant/sign-up/email", { tenant: id, body })).status).toBe(200);
	}
});

it("lets two processes migrate concurrently: one does the work, the other has nothing to do", async () => {
	const open = await emptyDatabase();
	const processes = [open(), open(), open()];
	const results = await Promise.all(processes.map(({ auth, pool }) => migrate(auth, pool, quiet)));
	expect(results.filter((done) => done.length > 0)).toHaveLength(1);
	expect(await checkSchema(open().auth, open().pool)).toEqual([]);
});

it("records changes while Redis is configured, and drops the record when it contracts without Redis", async () => {
	const open = await emptyDatabase();
	const cached = open({ REDIS_URL: "redis://127.0.0.1:9" });
	expect(await migrate(cached.auth, cached.pool, quiet)).toContain(
		"changes of users and sessions are recorded in table tenant_session_change",
	);
	expect(await findPending(cached.auth, cached.pool)).toEqual([]);
	const { auth, pool } = open();
	expect(await migrate(auth, pool, quiet)).toEqual([]);
	expect(await findPending(auth, pool)).toEqual([
		'drop table "tenant_session_change" with its triggers, because Redis is not configured',
	]);
	expect(await migrate(auth, pool, quiet, { contract: true })).toEqual([
		"dropped table tenant_session_change and its triggers, because Redis is not configured",
	]);
	expect(await findPending(auth, pool)).toEqual([]);
	expect(await checkSchema(auth, pool)).toEqual([]);
	expect((await checkSchema(cached.auth, cached.pool)).join()).toContain("Changes of sessions are not recorded");
});

it("adds a missing index at once, and drops one that spans all tenants when it contracts", async () => {
	const open = await emptyDatabase();
	const { auth, pool } = open();
	await migrate(auth, pool, quiet);
	await pool.query(`drop index "user_tenantId_email_uidx"`);
	await pool.query(`create unique index "user_email_key" on "user" (email)`);
	expect((await checkSchema(auth, pool)).join("\n")).toContain("user_tenantId_email_uidx");
	await migrate(auth, pool, quiet);
	expect(await checkSchema(auth, pool)).toEqual([]);
	expect(await findPending(auth, pool)).toEqual(['drop index "user_email_key"']);
	expect(await planMigration(auth, pool)).toEqual({ expand: [], contract: ['drop index "user_email_key"'] });
	await migrate(auth, pool, quiet, { contract: true });
	expect(await findPending(auth, pool)).toEqual([]);
});

it("continues after a statement that failed", async () => {
	const open = await emptyDatabase();
	const { auth, pool } = open();
	await pool.query(`create view "session" as select 1 as id`);
	await expect(migrate(auth, pool, quiet)).rejects.toThrow(/session/);
	expect(await checkSchema(auth, pool)).toContain("Table tenant is missing. Run `migrate`");
	await pool.query(`drop view "session"`);
	const done = await migrate(auth, pool, quiet);
	expect(done).toContain("created table session");
	expect(done).not.toContain("created table user");
	expect(await checkSchema(auth, pool)).toEqual([]);
});

it("creates the index of a column that was added before an interruption", async () => {
	const open = await emptyDatabase();
	const { auth, pool } = open({ PLUGINS: "username" });
	await migrate(auth, pool, quiet);
	await pool.query(`drop index "user_username_idx"`);
	expect(await checkSchema(auth, pool)).toEqual(["Table user has no index user_username_idx. Run `migrate`"]);
	expect(await migrate(auth, pool, quiet)).toEqual(["created index user_username_idx on table user"]);
	expect(await checkSchema(auth, pool)).toEqual([]);
});

it("distinguishes an unreachable database from an incomplete one", async () => {
	const { auth, pool, close } = openProcess({ DATABASE_URL: "postgres://postgres@127.0.0.1:1/none" });
	closers.push(close);
	await expect(checkSchema(auth, pool)).rejects.toThrow(/ECONNREFUSED/);
});
