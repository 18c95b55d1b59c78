import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisStorage } from "@better-auth/redis-storage";
import type { BetterAuthOptions } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { getAuthTables } from "better-auth/db";
import { getMigrations } from "better-auth/db/migration";
import Sqlite from "better-sqlite3";
import { Redis } from "ioredis";
import { Kysely, SqliteDialect } from "kysely";
import { createPool } from "mysql2/promise";
import { Pool } from "pg";
import { eventually } from "./expect.ts";
import { type Inspect, inspectDatabase } from "./inspect.ts";

export type DatabaseKind = "postgres" | "mariadb" | "sqlite" | "postgres+redis" | "memory";

/** A separate database for one run: created empty and dropped afterwards. */
export type Database = {
	/** The name and version for the report. */
	version: string;
	options: Pick<BetterAuthOptions, "database" | "secondaryStorage">;
	/** Creates the tables of all servers. */
	migrate(servers: BetterAuthOptions[]): Promise<void>;
	inspect(secret: string): Inspect;
	drop(): Promise<void>;
};

const postgresURL = () => process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";
const mysqlURL = () => process.env.TEST_MYSQL_URL ?? "mysql://root@127.0.0.1:3306/mysql";
const redisURL = () => process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

export const createDatabase = (kind: DatabaseKind): Promise<Database> => {
	const name = `conformance_${randomBytes(6).toString("hex")}`;
	switch (kind) {
		case "postgres":
			return createPostgres(name);
		case "mariadb":
			return createMariadb(name);
		case "sqlite":
			return createSqlite(name);
		case "postgres+redis":
			return createPostgresWithRedis(name);
		case "memory":
			return createMemory();
	}
};

const migrate = async (servers: BetterAuthOptions[]): Promise<void> => {
	for (const options of servers) await (await getMigrations(options)).runMigrations();
};

const named = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;

const createPostgres = async (name: string): Promise<Database> => {
	const admin = new Pool({ connectionString: postgresURL(), max: 1 });
	await admin.query(`create database ${name}`);
	const { rows } = await admin.query<{ version: string }>("select version()");
	const url = named(postgresURL(), name);
	const pool = new Pool({ connectionString: url, max: 10 });
	return {
		version: rows[0]?.version.split(" ").slice(0, 2).join(" ") ?? "PostgreSQL",
		options: { database: pool },
		migrate,
		inspect: (secret) => inspectDatabase(url, { secret }),
		drop: async () => {
			await pool.end();
			// a closed connection still counts as open for a moment
			await eventually(async () => void (await admin.query(`drop database ${name}`)));
			await admin.end();
		},
	};
};

const createMariadb = async (name: string): Promise<Database> => {
	const admin = createPool({ uri: mysqlURL(), connectionLimit: 1 });
	await admin.query(`create database ${name} character set utf8mb4`);
	const [rows] = await admin.query("select version() as version");
	const url = named(mysqlURL(), name);
	const pool = createPool({ uri: url, connectionLimit: 10, timezone: "Z" });
	return {
		version: `MariaDB ${(rows as { version: string }[])[0]?.version.split("-")[0]}`,
		options: { database: pool },
		migrate,
		inspect: (secret) => inspectDatabase(url, { secret }),
		drop: async () => {
			await pool.end();
			await admin.query(`drop database ${name}`);
			await admin.end();
		},
	};
};

const createSqlite = async (name: string): Promise<Database> => {
	const folder = await mkdtemp(join(tmpdir(), "conformance-"));
	const file = join(folder, `${name}.sqlite`);
	const database = new Sqlite(file);
	database.pragma("journal_mode = WAL");
	// One Kysely for all servers of the run: its queue separates their transactions on one connection.
	const db = new Kysely<Record<string, never>>({ dialect: new SqliteDialect({ database }) });
	return {
		version: `SQLite ${database.prepare("select sqlite_version()").pluck().get()}`,
		options: { database: { db, type: "sqlite", transaction: true } },
		migrate,
		inspect: (secret) => inspectDatabase(file, { secret }),
		drop: async () => {
			await db.destroy();
			await rm(folder, { recursive: true });
		},
	};
};

const createPostgresWithRedis = async (name: string): Promise<Database> => {
	const postgres = await createPostgres(name);
	const client = new Redis(redisURL());
	const keyPrefix = `${name}:`;
	const storage = redisStorage({ client, keyPrefix });
	const version = /redis_version:(\S+)/.exec(await client.info("server"))?.[1];
	/** Keys name the tenant, so they are searched too. */
	const everyEntry = async () => {
		const keys = await storage.listKeys();
		return Promise.all(keys.map(async (key) => `${key} ${await storage.get(key)}`));
	};
	return {
		version: `${postgres.version}, Redis ${version}`,
		options: { ...postgres.options, secondaryStorage: storage },
		migrate,
		inspect: (secret) => inspectDatabase(named(postgresURL(), name), { secret, storage: everyEntry }),
		drop: async () => {
			await storage.clear();
			await client.quit();
			await postgres.drop();
		},
	};
};

/** Better Auth's own in-memory database, for all servers of the run. */
const createMemory = async (): Promise<Database> => {
	const rows: Record<string, Record<string, unknown>[]> = {};
	return {
		version: "in memory",
		// each server has an adapter of its own, which keeps the options of one
		options: { database: (options: BetterAuthOptions) => memoryAdapter(rows)(options) },
		migrate: async (servers) => {
			for (const options of servers)
				for (const { modelName } of Object.values(getAuthTables(options))) rows[modelName] ??= [];
		},
		inspect: (secret) => ({
			secret,
			rowsOf: async (table, tenantId) => (rows[table] ?? []).filter((row) => row.tenantId === tenantId),
			everything: async () => JSON.stringify(rows),
			close: async () => {},
		}),
		drop: async () => {},
	};
};
