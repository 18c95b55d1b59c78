import { afterEach, expect, it } from "vitest";
import { migrate, planMigration } from "../../src/database/migrate.ts";
import { checkSchema } from "../../src/database/schema-check.ts";
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
	const plan = await planMigration(auth);
	expect(plan.join("\n")).toMatch(/create table "tenant"/);
	expect(await checkSchema(auth, pool)).toContain("Table tenant is missing. Run `migrate`");

	const told: string[] = [];
	const done = await migrate(auth, pool, (what) => told.push(what));
	expect(done).toContain("created table tenant");
	expect(told).toEqual(done);
	expect(await checkSchema(auth, pool)).toEqual([]);
	expect(await planMigration(auth)).toEqual([]);
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
	expect((await planMigration(after.auth)).join("\n")).toContain('create table "organization"');

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

it("reports a missing index and one that spans all tenants, and fixes both", async () => {
	const open = await emptyDatabase();
	const { auth, pool } = open();
	await migrate(auth, pool, quiet);
	await pool.query(`drop index "user_tenantId_email_uidx"`);
	await pool.query(`create unique index "user_email_key" on "user" (email)`);
	const missing = (await checkSchema(auth, pool)).join("\n");
	expect(missing).toContain("user_tenantId_email_uidx");
	expect(missing).toContain("user_email_key");
	await migrate(auth, pool, quiet);
	expect(await checkSchema(auth, pool)).toEqual([]);
});

it("changes nothing if a statement fails", async () => {
	const open = await emptyDatabase();
	const { auth, pool } = open();
	await pool.query(`create table "verification" (id text primary key, must text not null)`);
	await pool.query(`create table "tenant_slug_blocker" (id int)`);
	await pool.query(`create view "session" as select 1 as id`);
	await expect(migrate(auth, pool, quiet)).rejects.toThrow();
	const { rows } = await pool.query("select table_name from information_schema.tables where table_schema = 'public'");
	expect(rows.map(({ table_name }) => table_name).sort()).toEqual(["session", "tenant_slug_blocker", "verification"]);
});

it("gives up on a table that stays locked, and reports it", async () => {
	const open = await emptyDatabase();
	const { auth, pool } = open();
	await migrate(auth, pool, quiet);
	const holder = await pool.connect();
	await holder.query("begin");
	await holder.query(`lock table "user" in access share mode`);
	const more = open({ PLUGINS: "username" });
	await expect(migrate(more.auth, more.pool, quiet)).rejects.toThrow(/locked.*Run migrate again/);
	await holder.query("rollback");
	holder.release();
	expect((await migrate(more.auth, more.pool, quiet)).length).toBeGreaterThan(0);
}, 40_000);

it("distinguishes an unreachable database from an incomplete one", async () => {
	const { auth, pool, close } = openProcess({ DATABASE_URL: "postgres://postgres@127.0.0.1:1/none" });
	closers.push(close);
	await expect(checkSchema(auth, pool)).rejects.toThrow(/ECONNREFUSED/);
});
