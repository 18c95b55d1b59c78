import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BetterAuthOptions } from "better-auth";
import Database from "better-sqlite3";
import { createPool } from "mysql2/promise";
import { Client, Pool } from "pg";

export type DatabaseKind = "postgres" | "mysql" | "sqlite";
type Row = Record<string, unknown>;

/** A database of a test's own, and a view of every statement that was sent to it. */
export type TestDatabase = {
	kind: DatabaseKind;
	/** what betterAuth takes as `database` */
	connection: NonNullable<BetterAuthOptions["database"]>;
	/** statements since the last `clear` */
	statements: string[];
	/** Runs SQL beside the engine; identifiers are quoted with ". */
	query: (sql: string) => Promise<Row[]>;
	close: () => Promise<void>;
};

const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";
const MYSQL_URL = process.env.TEST_MYSQL_URL ?? "mysql://root@127.0.0.1:3306/mysql";

export const createDatabase = (kind: DatabaseKind): Promise<TestDatabase> =>
	({ postgres: createPostgres, mysql: createMysql, sqlite: createSqlite })[kind]();

const newName = () => `tenants_test_${randomBytes(6).toString("hex")}`;

const at = (url: string, database: string): string => {
	const changed = new URL(url);
	changed.pathname = `/${database}`;
	return changed.toString();
};

const createPostgres = async (): Promise<TestDatabase> => {
	const name = newName();
	const admin = new Client({ connectionString: POSTGRES_URL });
	await admin.connect();
	await admin.query(`create database ${name}`);
	const statements: string[] = [];
	const pool = new Pool({ connectionString: at(POSTGRES_URL, name), max: 10 });
	pool.on("connect", (client) => {
		const send = client.query.bind(client) as (...args: unknown[]) => unknown;
		Object.assign(client, {
			query: (...args: unknown[]) => {
				statements.push(typeof args[0] === "string" ? args[0] : String((args[0] as { text?: string }).text));
				return send(...args);
			},
		});
	});
	const beside = new Pool({ connectionString: at(POSTGRES_URL, name), max: 2 });
	// the server ends connections that are still closing when their database is dropped
	for (const idle of [pool, beside]) idle.on("error", () => {});
	return {
		kind: "postgres",
		connection: pool,
		statements,
		query: async (sql) => (await beside.query(sql)).rows,
		close: async () => {
			await pool.end();
			await beside.end();
			await admin.query(`drop database ${name} with (force)`);
			await admin.end();
		},
	};
};

const createMysql = async (): Promise<TestDatabase> => {
	const name = newName();
	const admin = createPool({ uri: MYSQL_URL, connectionLimit: 1 });
	await admin.query(`create database ${name}`);
	const statements: string[] = [];
	// the engine compares dates: without a fixed zone the driver would shift them
	const pool = createPool({ uri: at(MYSQL_URL, name), connectionLimit: 10, timezone: "Z" });
	pool.pool.on("connection", (connection) => {
		const send = connection.query.bind(connection) as (...args: unknown[]) => unknown;
		Object.assign(connection, {
			query: (...args: unknown[]) => {
				statements.push(typeof args[0] === "string" ? args[0] : String((args[0] as { sql?: string }).sql));
				return send(...args);
			},
		});
	});
	const beside = createPool({ uri: at(MYSQL_URL, name), connectionLimit: 2, timezone: "Z" });
	return {
		kind: "mysql",
		connection: pool,
		statements,
		query: async (sql) => (await beside.query(sql.replaceAll('"', "`")))[0] as Row[],
		close: async () => {
			await pool.end();
			await beside.end();
			await admin.query(`drop database ${name}`);
			await admin.end();
		},
	};
};

const createSqlite = async (): Promise<TestDatabase> => {
	const folder = mkdtempSync(join(tmpdir(), "tenants-test-"));
	const statements: string[] = [];
	const database = new Database(join(folder, "test.sqlite"), { verbose: (sql) => statements.push(String(sql)) });
	database.pragma("foreign_keys = ON");
	const beside = new Database(join(folder, "test.sqlite"));
	return {
		kind: "sqlite",
		connection: database,
		statements,
		query: async (sql) => {
			const statement = beside.prepare(sql);
			if (statement.reader) return statement.all() as Row[];
			statement.run();
			return [];
		},
		close: async () => {
			database.close();
			beside.close();
			rmSync(folder, { recursive: true, force: true });
		},
	};
};
