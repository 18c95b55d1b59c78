import { createMysql } from "./databases/mysql.ts";
import { createPostgres } from "./databases/postgres.ts";
import { createSqlite } from "./databases/sqlite.ts";
import type { DatabaseKind, TestDatabase } from "./databases/test-database.ts";
import type { Template } from "./templates.ts";

export type { DatabaseKind, TestDatabase } from "./databases/test-database.ts";

/** A new database: empty, or with the tables of a template, which takes milliseconds instead of a migration. */
export const createDatabase = (kind: DatabaseKind, template?: Template): Promise<TestDatabase> =>
	({ postgres: createPostgres, mysql: createMysql, sqlite: createSqlite })[kind](template);
