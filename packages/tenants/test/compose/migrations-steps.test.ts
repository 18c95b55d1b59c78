import { oauthProvider } from "@better-auth/oauth-provider";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { jwt } from "better-auth/plugins";
import { username } from "better-auth/plugins/username";
import type { Database } from "better-sqlite3";
import { Kysely, PostgresDialect } from "kysely";
import type { Pool } from "pg";
import { createDatabase, type DatabaseKind, type TestDatabase } from "test-kit/databases";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { withoutUnique } from "../../src/features/database/sqlite-table.ts";
import { tenantMigrationPlan, tenantMigrationSteps, withTenants } from "../../src/index.ts";
import { engineOptions } from "./support/composed.ts";

type Connection = TestDatabase["connection"];

const bare = (connection: Connection) => ({
	...engineOptions(connection),
	logger: { disabled: true },
	plugins: [username()],
});
const composed = (connection: Connection) => ({
	...engineOptions(connection),
	logger: { disabled: true },
	plugins: withTenants({}, [username()]),
});
const migrate = async (options: Parameters<typeof getMigrations>[0]) => (await getMigrations(options)).runMigrations();
const steps = (connection: Connection) => tenantMigrationSteps(betterAuth(composed(connection)));

/** A database from before tenants, with one user. */
const grown = async (kind: DatabaseKind, connect: (own: TestDatabase) => Connection = (own) => own.connection) => {
	const own = await createDatabase(kind);
	onTestFinished(own.close);
	const connection = connect(own);
	await migrate(bare(connection));
	const body = { name: "Eva", email: "eva@example.com", password: PASSWORD, username: "eva" };
	await betterAuth(bare(connection)).api.signUpEmail({ body });
	return { ...own, connection };
};
const run = async (own: TestDatabase, statements: string[]): Promise<void> => {
	for (const statement of statements) await own.query(statement);
};

describe("the migration steps", () => {
	it("keep the old indexes until the new ones exist", async () => {
		const own = await grown("postgres");
		expect(await steps(own.connection)).toEqual([]);
		await migrate(composed(own.connection));
		await own.query('drop index "user_tenantId_email_uidx"');
		const found = await steps(own.connection);
		const made = found.indexOf('create unique index "user_tenantId_email_uidx" on "user" ("tenantId", "email")');
		expect(made).toBeGreaterThan(-1);
		expect(found.indexOf('alter table "user" drop constraint "user_email_key"')).toBeGreaterThan(made);
	});

	it("create the index of a derived column that an interrupted migration missed and the next one skips", async () => {
		const own = await grown("postgres");
		await migrate(composed(own.connection));
		await own.query('drop index "user_tenantUnique_username_uidx"');
		expect((await getMigrations(composed(own.connection))).toBeAddedIndexes).toEqual([]);
		await run(own, await steps(own.connection));
		expect(await steps(own.connection)).toEqual([]);
		await expect(
			own.query(
				`insert into "user" select 'other', "name", 'other@example.com', "emailVerified", "image", "createdAt", "updatedAt", "username", "displayUsername", "tenantId", "tenantUnique_username" from "user"`,
			),
		).rejects.toThrow("user_tenantUnique_username_uidx");
	});

	it("find the tables in the configured schema", async () => {
		const own = await grown("postgres", ({ connection }) => ({
			db: new Kysely({ dialect: new PostgresDialect({ pool: connection as Pool }) }).withSchema("auth"),
			type: "postgres",
			transaction: true,
			schemaName: "auth",
		}));
		await migrate(composed(own.connection));
		const found = await steps(own.connection);
		expect(found).toContain('alter table "auth"."user" drop constraint "user_email_key"');
		await run(own, found);
		expect(await steps(own.connection)).toEqual([]);
	});

	it("bound MySQL's text columns, which Better Auth requires, and truncate nothing", async () => {
		const own = await grown("mysql");
		await expect(migrate(composed(own.connection))).rejects.toThrow("Cannot create database index");
		await own.query(`update "account" set "accountId" = repeat('x', 256)`);
		await expect(steps(own.connection)).rejects.toThrow("account.accountId has values of up to 256 characters");
		await own.query(`update "account" set "accountId" = repeat('x', 255)`);
		await run(own, await steps(own.connection));
		await migrate(composed(own.connection));
		expect((await own.query('select char_length("accountId") as n from "account"'))[0]?.n).toBe(255);
	});

	it("fill long values as the adapter does, so a name can be taken once", async () => {
		for (const kind of ["postgres", "mysql", "sqlite"] as const) {
			const own = await grown(kind);
			const long = "é".repeat(250);
			await own.query(`update "user" set "username" = '${long}'`);
			await run(own, await steps(own.connection));
			await migrate(composed(own.connection));
			await run(own, await steps(own.connection));
			expect(await steps(own.connection)).toEqual([]);
			const { adapter } = await betterAuth(composed(own.connection)).$context;
			const filled = await own.query('select "tenantUnique_username" as value from "user"');
			await adapter.updateMany({ model: "user", where: [], update: { username: long } });
			expect(await own.query('select "tenantUnique_username" as value from "user"')).toEqual(filled);
			expect(String(filled[0]?.value)).toMatch(/^platform:#/);
		}
	});

	it("tell what running processes of the previous version stand from what they do not", async () => {
		const own = await grown("postgres");
		await migrate(composed(own.connection));
		const plan = await tenantMigrationPlan(betterAuth(composed(own.connection)));
		expect(plan.map(({ sql }) => sql)).toEqual(await steps(own.connection));
		expect(plan.map(({ phase, kind, table }) => `${phase}: ${kind} of ${table}`)).toEqual([
			"expand: fill of user",
			"expand: index of user",
			"contract: drop of user",
			"contract: drop of user",
		]);
		await run(
			own,
			plan.filter(({ phase }) => phase === "expand").map(({ sql }) => sql),
		);
		// an old process is still kept from taking a name twice
		const rest = await tenantMigrationPlan(betterAuth(composed(own.connection)));
		expect(rest.map(({ sql }) => sql).sort()).toEqual([
			'alter table "user" drop constraint "user_email_key"',
			'alter table "user" drop constraint "user_username_key"',
		]);
	});

	it.each(["postgres", "mysql", "sqlite"] as const)(
		"leave the unique index of a plugin alone that only other processes have, on %s",
		async (kind) => {
			const own = await createDatabase(kind);
			onTestFinished(own.close);
			await migrate(composed(own.connection));
			const without = betterAuth({ ...composed(own.connection), plugins: withTenants({}, []) });
			expect(await tenantMigrationSteps(without)).toEqual([]);
		},
	);

	// threat 45
	it.each([
		["with a default", `add column "more" text default 'same'`, ""],
		["that is generated", `add column "more" text generated always as (lower("email")) stored`, ""],
		["without null", `add column "more" text not null`, ""],
		["in an index where nulls collide", `add column "more" text`, "nulls not distinct"],
	])("drop a unique index on an unknown column %s, because it spans all tenants", async (_, column, nulls) => {
		const own = await createDatabase("postgres");
		onTestFinished(own.close);
		await migrate(composed(own.connection));
		await own.query(`alter table "user" ${column}`);
		await own.query(`create unique index "user_more_uidx" on "user" ("more") ${nulls}`);
		expect(await steps(own.connection)).toContain('drop index "user_more_uidx"');
	});

	it("throw if the database cannot be queried", async () => {
		const memory = betterAuth({ ...composed(undefined as never), database: undefined as never });
		await expect(tenantMigrationSteps(memory)).rejects.toThrow("cannot be read");
	});
});

describe("rebuilding a SQLite table", () => {
	it("keeps its rows, references, indexes, triggers and views", async () => {
		const own = await grown("sqlite");
		await migrate(composed(own.connection));
		await own.query('create view "names" as select "name" from "user"');
		await own.query('create index "by_name" on "user" ("name")');
		await own.query(
			`create trigger "shout" after insert on "user" begin update "user" set "image" = 'loud' where "id" = new."id"; end`,
		);
		const rows = await own.query('select * from "user"');
		await run(own, await steps(own.connection));
		expect(await own.query('select "id", "email", "username" from "user"')).toEqual(
			rows.map(({ id, email, username }) => ({ id, email, username })),
		);
		expect(await own.query('select count(*) as n from "session"')).toEqual([{ n: 1 }]);
		expect(await own.query("select * from pragma_foreign_key_check")).toEqual([]);
		expect(await own.query("select foreign_keys from pragma_foreign_keys")).toEqual([{ foreign_keys: 1 }]);
		expect(await own.query('select * from "names"')).toEqual([{ name: "Eva" }]);
		const made = await own.query(`select name from sqlite_master where name in ('by_name', 'shout') order by name`);
		expect(made).toEqual([{ name: "by_name" }, { name: "shout" }]);
		await own.query(`delete from "user"`);
		expect(await own.query('select count(*) as n from "session"')).toEqual([{ n: 0 }]);
	});

	it("is refused while foreign keys are enforced, since dropping the old table would delete sessions and accounts", async () => {
		const own = await grown("sqlite");
		await migrate(composed(own.connection));
		const found = await steps(own.connection);
		const database = own.connection as Database;
		// SQLite ignores `foreign_keys = off` inside a transaction
		const inTransaction = database.transaction(() => {
			for (const statement of found.filter((one) => !/^(begin|commit)/.test(one))) database.exec(statement);
		});
		expect(inTransaction).toThrow(/CHECK constraint failed/);
		expect(await own.query('select count(*) as n from "account"')).toEqual([{ n: 1 }]);
	});

	it("is refused if Better Auth did not create the table", async () => {
		const own = await grown("sqlite");
		await migrate(composed(own.connection));
		await own.query("pragma foreign_keys = off");
		const [table] = await own.query(`select sql from sqlite_master where name = 'user'`);
		await own.query('drop table "user"');
		await own.query(
			String(table?.sql).replace('"email" text not null unique', '"email" text not null unique on conflict ignore'),
		);
		await expect(steps(own.connection)).rejects.toThrow(/user was not created by Better Auth.*docs\/database\.md/);
	});

	it("changes nothing in the statement but the constraint", () => {
		const rebuilt = (statement: string, ...columns: string[]) => withoutUnique(statement, '"rebuilt"', columns);
		expect(rebuilt('CREATE TABLE "t" ("a" text not null unique, "b" text)', "a")).toBe(
			'create table "rebuilt" ("a" text not null, "b" text)',
		);
		expect(
			rebuilt(`CREATE TABLE t (a text UNIQUE, "unique" text default 'unique, (', c text unique) STRICT`, "a"),
		).toBe(`create table "rebuilt" (a text, "unique" text default 'unique, (', c text unique) STRICT`);
		expect(rebuilt("CREATE TABLE t (a text check (a in ('x', 'y')) unique, b text, check (a <> b))", "a")).toBe(
			"create table \"rebuilt\" (a text check (a in ('x', 'y')), b text, check (a <> b))",
		);
		for (const strange of [
			"CREATE TABLE t (a text constraint one unique)",
			"CREATE TABLE t (a text unique on conflict replace)",
			"CREATE TABLE t (a text, unique (a))",
			"CREATE TABLE t (a text unique -- unique\n)",
			"CREATE TABLE t (b text unique)",
		])
			expect([strange, rebuilt(strange, "a")]).toEqual([strange, null]);
	});
});

describe("a unique field that foreign keys reference", () => {
	const plugins = () => [jwt(), oauthProvider({ loginPage: "/sign-in", consentPage: "/consent" })] as const;
	const options = (connection: Connection) => ({ ...engineOptions(connection), logger: { disabled: true } });
	const later = (connection: Connection) => ({ ...options(connection), plugins: withTenants({}, plugins()) });

	it.each(["postgres", "mysql"] as const)("drops the old key and adds one with the tenant, on %s", async (kind) => {
		const own = await createDatabase(kind);
		onTestFinished(own.close);
		const old = { ...options(own.connection), plugins: [...plugins()] };
		await migrate(old);
		const { adapter } = await betterAuth(old).$context;
		const client = { clientId: "c", redirectUris: ["https://a.example"] };
		await adapter.create({ model: "oauthClient", data: client });
		await adapter.create({ model: "oauthResource", data: { identifier: "https://api", name: "API" } });
		await adapter.create({ model: "oauthClientResource", data: { clientId: "c", resourceId: "https://api" } });

		await run(own, await tenantMigrationSteps(betterAuth(later(own.connection))));
		await migrate(later(own.connection));
		await run(own, await tenantMigrationSteps(betterAuth(later(own.connection))));
		expect(await tenantMigrationSteps(betterAuth(later(own.connection)))).toEqual([]);

		// another tenant creates and deletes a resource of the same name
		const copy = `'other', 'other:key' from "oauthResource"`;
		await own.query(
			`insert into "oauthResource" ("id", "identifier", "name", "tenantId", "tenantUnique_identifier") select 'x', "identifier", "name", ${copy}`,
		);
		await own.query(`delete from "oauthResource" where "id" = 'x'`);
		expect(await own.query('select "resourceId" from "oauthClientResource"')).toEqual([{ resourceId: "https://api" }]);
		await own.query('delete from "oauthResource"');
		expect(await own.query('select "resourceId" from "oauthClientResource"')).toEqual([]);
	});

	it("is refused on SQLite, which cannot drop a key", async () => {
		const own = await createDatabase("sqlite");
		onTestFinished(own.close);
		await migrate({ ...options(own.connection), plugins: [...plugins()] });
		await migrate(later(own.connection));
		await expect(tenantMigrationSteps(betterAuth(later(own.connection)))).rejects.toThrow(
			/oauthClientResource references oauthResource.*docs\/database\.md/,
		);
	});
});
