import { randomBytes } from "node:crypto";
import { Client, Pool } from "pg";
import { dropDatabase } from "./databases/drop-postgres.ts";
import { POSTGRES_URL } from "./databases/postgres-template.ts";

type Row = Record<string, unknown>;

export type Database = {
	url: string;
	query: (sql: string, values?: unknown[]) => Promise<Row[]>;
	drop: () => Promise<void>;
};

/** An empty database for one run, with its own connection outside the application. */
export const createDatabase = async (): Promise<Database> => {
	const name = `tenants_e2e_${randomBytes(6).toString("hex")}`;
	const admin = new Client({ connectionString: POSTGRES_URL });
	await admin.connect();
	await admin.query(`create database ${name}`);
	const url = new URL(POSTGRES_URL);
	url.pathname = `/${name}`;
	const beside = new Pool({ connectionString: url.href, max: 1 });
	return {
		url: url.href,
		query: async (sql, values) => (await beside.query<Row>(sql, values)).rows,
		drop: async () => {
			await beside.end();
			await dropDatabase(admin, name);
			await admin.end();
		},
	};
};
