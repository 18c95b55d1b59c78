import Sqlite from "better-sqlite3";
import { createPool } from "mysql2/promise";
import { Pool } from "pg";
import * as z from "zod";

type Row = Record<string, unknown>;

/** The stored rows, which no HTTP response shows. */
export type Inspect = {
	/** The auth secret of the deployment, if the run knows it. */
	secret: string | undefined;
	/** The stored rows of one table that belong to a tenant. */
	rowsOf(table: string, tenantId: string): Promise<Row[]>;
	/** All stored rows and all values of the secondary storage, as one text to search. */
	everything(): Promise<string>;
	close(): Promise<void>;
};

type Options = { secret?: string | undefined; storage?: () => Promise<string[]> };
type Reader = { tables: () => Promise<string[]>; rows: (table: string) => Promise<Row[]>; close: () => Promise<void> };

const rowShape = z.record(z.string(), z.unknown());

/** Reads the database of a deployment: postgres:, mysql: or a SQLite file. */
export const inspectDatabase = (url: string, { secret, storage = async () => [] }: Options = {}): Inspect => {
	const reader = /^postgres(ql)?:/.test(url) ? postgres(url) : /^mysql:/.test(url) ? mysql(url) : sqlite(url);
	return {
		secret,
		rowsOf: async (table, tenantId) => {
			// with a secondary storage, sessions have no table
			if (!(await reader.tables()).includes(table)) return [];
			return (await reader.rows(table)).filter((row) => String(row.tenantId) === tenantId);
		},
		everything: async () => {
			const tables = await Promise.all((await reader.tables()).map(reader.rows));
			return [...tables.map((rows) => JSON.stringify(rows)), ...(await storage())].join("\n");
		},
		close: reader.close,
	};
};

const names = (rows: unknown[]) =>
	z
		.array(z.object({ name: z.string() }))
		.parse(rows)
		.map((row) => row.name);

const postgres = (url: string): Reader => {
	const pool = new Pool({ connectionString: url, max: 2 });
	return {
		tables: async () =>
			names((await pool.query("select tablename as name from pg_tables where schemaname = current_schema()")).rows),
		rows: async (table) => rowShape.array().parse((await pool.query(`select * from "${table}"`)).rows),
		close: () => pool.end(),
	};
};

const mysql = (url: string): Reader => {
	const pool = createPool({ uri: url, connectionLimit: 2 });
	const all = async (statement: string) => rowShape.array().parse((await pool.query(statement))[0]);
	return {
		tables: async () =>
			names(await all("select table_name as name from information_schema.tables where table_schema = database()")),
		rows: (table) => all(`select * from \`${table}\``),
		close: () => pool.end(),
	};
};

const sqlite = (file: string): Reader => {
	const database = new Sqlite(file.replace(/^file:/, ""), { readonly: true });
	return {
		tables: async () => names(database.prepare("select name from sqlite_master where type = 'table'").all()),
		rows: async (table) => rowShape.array().parse(database.prepare(`select * from "${table}"`).all()),
		close: async () => void database.close(),
	};
};
