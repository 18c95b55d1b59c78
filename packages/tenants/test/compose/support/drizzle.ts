import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BetterAuthOptions } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import type { Database } from "better-sqlite3";
import {
	generateDrizzleJson,
	generateMigration,
	generateMySQLDrizzleJson,
	generateMySQLMigration,
	generateSQLiteDrizzleJson,
	generateSQLiteMigration,
} from "drizzle-kit/api";
import { drizzle as drizzleSqlite } from "drizzle-orm/better-sqlite3";
import { drizzle as drizzleMysql } from "drizzle-orm/mysql2";
import { drizzle as drizzlePostgres } from "drizzle-orm/node-postgres";
import type { Pool as MysqlPool } from "mysql2/promise";
import type { Pool } from "pg";
import type { TestDatabase } from "test-kit/databases";
import { authCli } from "./command-line.ts";

export type DrizzleSchema = Record<string, unknown>;
export const PROVIDERS = { postgres: "pg", mysql: "mysql", sqlite: "sqlite" } as const;
type Provider = (typeof PROVIDERS)[keyof typeof PROVIDERS];

/** The schema that the engine's command line writes, loaded as an application loads it. */
export const generateDrizzle = async (folder: string, provider: Provider, bare = false): Promise<DrizzleSchema> => {
	const file = join(folder, `${bare ? "bare" : "composed"}-${provider}.ts`);
	await authCli("generate", { kind: "drizzle", provider, bare }, "--output", file);
	return import(pathToFileURL(file).href);
};

const migrate = {
	pg: async (from: DrizzleSchema, to: DrizzleSchema) =>
		generateMigration(generateDrizzleJson(from), generateDrizzleJson(to)),
	mysql: async (from: DrizzleSchema, to: DrizzleSchema) =>
		generateMySQLMigration(await generateMySQLDrizzleJson(from), await generateMySQLDrizzleJson(to)),
	sqlite: async (from: DrizzleSchema, to: DrizzleSchema) =>
		generateSQLiteMigration(await generateSQLiteDrizzleJson(from), await generateSQLiteDrizzleJson(to)),
};

/** Runs drizzle-kit's migration from one schema to another. */
export const applyDrizzle = async (own: TestDatabase, from: DrizzleSchema, to: DrizzleSchema): Promise<string[]> => {
	const statements = await migrate[PROVIDERS[own.kind]](from, to);
	for (const statement of statements) await own.query(statement);
	return statements;
};

/** A Drizzle database and Better Auth's adapter for it. */
export const openDrizzle = (own: TestDatabase, schema: DrizzleSchema) => {
	const client = {
		postgres: () => drizzlePostgres(own.connection as Pool, { schema }),
		mysql: () => drizzleMysql(own.connection as MysqlPool, { schema, mode: "default" }),
		sqlite: () => drizzleSqlite(own.connection as Database, { schema }),
	}[own.kind]();
	// Drizzle cannot await inside a better-sqlite3 transaction
	const transaction = own.kind !== "sqlite";
	const adapter: BetterAuthOptions["database"] = drizzleAdapter(client, {
		provider: PROVIDERS[own.kind],
		transaction,
		schema,
	});
	return { client, adapter, tenants: { database: { client, requireTransactions: transaction } } };
};
