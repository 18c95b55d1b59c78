import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { fillInBatches } from "../../src/schema/fill-in-batches.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { checkSchema } from "../../src/schema/schema-check.ts";
import { openProcess, type Process } from "../auth/world.ts";
import { createTestDatabase } from "../support/database.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const quiet = () => {};

/** A migrated database with a user in each of two tenants. */
const deployed = async (environment: Record<string, string> = {}) => {
	const database = await createTestDatabase();
	closers.push(database.drop);
	const open = (more: Record<string, string> = {}): Process => {
		const opened = openProcess({ DATABASE_URL: database.url, ...environment, ...more });
		closers.push(opened.close);
		return opened;
	};
	const first = open();
	await migrate(first.auth, first.pool, quiet);
	const made = await Promise.all(
		["acme", "globex"].map((slug) => first.auth.api.createTenant({ body: { name: slug, slug } })),
	);
	const tenants = made.map(({ id }) => id);
	for (const id of tenants) expect((await first.signUp(id, "ada@example.com")).status).toBe(200);
	/** A transaction that stays open, like a long report. */
	const hold = async (sql: string) => {
		const client = new pg.Client({ connectionString: database.url });
		await client.connect();
		closers.push(() => client.end());
		await client.query("begin");
		await client.query(sql);
		return { letGo: () => client.query("rollback") };
	};
	return { open, first, tenants, hold };
};

/** Starts a migration and collects what it reports while it waits. */
const start = ({ auth, pool }: Process, options: { attempts?: number } = {}) => {
	const notes: string[] = [];
	let isOver = false;
	const done = migrate(auth, pool, quiet, { ...options, note: (text) => notes.push(text) }).finally(() => {
		isOver = true;
	});
	done.catch(() => {});
	return { notes, done, isOver: () => isOver };
};

describe("a table in use", () => {
	it("is tried for again and again, while users sign in and up", async () => {
		const { open, first, tenants, hold } = await deployed();
		const { letGo } = await hold(`lock table "user" in access share mode`);
		const migration = start(open({ PLUGINS: "username" }));
		let served = 0;
		while (migration.notes.length < 3) {
			for (const id of tenants) {
				expect((await first.signIn(id, "ada@example.com")).status).toBe(200);
				expect((await first.signUp(id, `user-${served}@example.com`)).status).toBe(200);
				served += 1;
			}
		}
		expect(migration.isOver()).toBe(false);
		expect(migration.notes[0]).toMatch(/in use \(attempt 1 of 30, .*alter table "user" add column/);
		expect(served).toBeGreaterThan(0);
		await letGo();
		expect((await migration.done).join()).toMatch(/added .*tenantUnique_username.* to table user/);
	});

	it("ends the migration after the last attempt, and the next one continues", async () => {
		const { open, hold } = await deployed();
		const { letGo } = await hold(`lock table "user" in access share mode`);
		const next = open({ PLUGINS: "username,jwt" });
		await expect(start(next, { attempts: 2 }).done).rejects.toThrow(/in use at each of 2 attempts/);
		await letGo();
		expect((await migrate(next.auth, next.pool, quiet)).length).toBeGreaterThan(0);
		expect(await checkSchema(next.auth, next.pool)).toEqual([]);
	});
});

describe("an index of an existing table", () => {
	const INSERT = `insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "tenantId") values`;

	it("is built while users sign up", async () => {
		const { first, tenants, hold } = await deployed();
		await first.pool.query(`drop index "user_tenantId_email_uidx"`);
		// a writer whose transaction stays open: the build must wait for it
		const { letGo } = await hold(`${INSERT} ('long', 'Long', 'long@example.com', false, now(), now(), 'platform')`);
		const migration = start(first);
		await expect
			.poll(async () => (await first.pool.query("select phase from pg_stat_progress_create_index")).rows)
			.toEqual([{ phase: "waiting for writers before build" }]);
		for (const id of tenants) expect((await first.signUp(id, "bo@example.com")).status).toBe(200);
		expect(migration.isOver()).toBe(false);
		await letGo();
		expect(await migration.done).toEqual(["created index user_tenantId_email_uidx on table user"]);
		expect(await checkSchema(first.auth, first.pool)).toEqual([]);
	});

	it("is not left invalid if it cannot be built, and is rebuilt if an interrupted migration left it so", async () => {
		const { first } = await deployed();
		const { auth, pool } = first;
		await pool.query(`drop index "user_tenantId_email_uidx"`);
		await pool.query(
			`${INSERT} ('a', 'A', 'same@example.com', false, now(), now(), 'platform'), ('b', 'B', 'same@example.com', false, now(), now(), 'platform')`,
		);
		await expect(migrate(auth, pool, quiet)).rejects.toThrow(/user_tenantId_email_uidx/);
		expect(await checkSchema(auth, pool)).toContain("Table user has no index user_tenantId_email_uidx. Run `migrate`");

		const build = `create unique index concurrently "user_tenantId_email_uidx" on "user" ("tenantId", "email")`;
		await expect(pool.query(build)).rejects.toThrow();
		await pool.query(`delete from "user" where "id" = 'b'`);
		expect(await checkSchema(auth, pool)).toEqual([
			"The creation of index user_tenantId_email_uidx was interrupted. Run `migrate`",
		]);
		expect(await migrate(auth, pool, quiet)).toEqual([
			"dropped index user_tenantId_email_uidx, whose creation was interrupted",
			"created index user_tenantId_email_uidx on table user",
		]);
		expect(await checkSchema(auth, pool)).toEqual([]);
	});

	it("is waited for if the server still builds it for a migration that was killed", async () => {
		const { first, hold } = await deployed();
		const { auth, pool } = first;
		await pool.query(`drop index "user_tenantId_email_uidx"`);
		const { letGo } = await hold(`${INSERT} ('long', 'Long', 'long@example.com', false, now(), now(), 'platform')`);
		const building = pool.query(
			`create unique index concurrently "user_tenantId_email_uidx" on "user" ("tenantId", "email")`,
		);
		await expect
			.poll(async () => (await pool.query("select phase from pg_stat_progress_create_index")).rows)
			.toEqual([{ phase: "waiting for writers before build" }]);
		expect((await checkSchema(auth, pool)).join()).toContain("still being created");
		const migration = start(first);
		await expect.poll(() => migration.notes.join()).toContain("being built: user_tenantId_email_uidx");
		await letGo();
		await building;
		expect(await migration.done).toEqual([]);
		expect(await checkSchema(auth, pool)).toEqual([]);
	});
});

describe("two migrations at the same time", () => {
	it("take turns, also when the first one builds an index", async () => {
		const { open, first } = await deployed();
		await first.pool.query(`drop index "user_tenantId_email_uidx"`);
		const started = [open(), open(), open()].map((process) => start(process));
		const results = await Promise.all(started.map(({ done }) => done));
		expect(results.filter((done) => done.length > 0)).toHaveLength(1);
	});
});

describe("filling a column", () => {
	it("goes page by page and misses no row", async () => {
		const { first } = await deployed();
		const { pool } = first;
		await pool.query(`create table "big" ("id" int, "from" text, "to" text)`);
		await pool.query(`insert into "big" select n, repeat('x', 200), null from generate_series(1, 2000) n`);
		await fillInBatches(
			pool,
			{ table: "big", sql: `update "big" set "to" = "from" where "from" is not null and "to" is null`, pages: 8 },
			{ attempts: 1, note: quiet },
		);
		const { rows } = await pool.query(
			`select count(*)::int as rows, count("to")::int as filled, count(distinct xmin::text)::int as batches from "big"`,
		);
		expect(rows[0]).toMatchObject({ rows: 2000, filled: 2000 });
		expect(rows[0]?.batches).toBeGreaterThan(3);
	});
});
