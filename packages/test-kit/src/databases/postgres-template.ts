import { type Client, Pool } from "pg";
import { dropDatabase } from "./drop-postgres.ts";
import { at, newName } from "./test-database.ts";

export const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** Without fsync, copying files is faster than writing them to the log. */
const IS_OURS = process.env.TEST_SERVERS === "started";

type PostgresTemplate = { key: string; migrate: (pool: Pool) => Promise<unknown> };

/** Creates a database: empty, or with the tables of a template. */
export const createFrom = async (admin: Client, name: string, template?: PostgresTemplate): Promise<void> => {
	const source = template ? await makeTemplate(admin, template) : "template1";
	await admin.query(`create database ${name} template ${source}${IS_OURS ? " strategy file_copy" : ""}`);
};

/** Drops a database. Does not wait if the server ends with the run: closing connections takes a moment. */
export const dropLater = async (admin: Client, name: string): Promise<void> => {
	const dropped = dropDatabase(admin, name).then(() => admin.end());
	if (IS_OURS) dropped.catch(() => {});
	else await dropped;
};

/**
 * The name of a database with the template's tables, created once per server. Workers wait for each other. It gets its
 * name when it is complete, so leftovers of an interrupted run are not used.
 */
const makeTemplate = async (admin: Client, { key, migrate }: PostgresTemplate): Promise<string> => {
	const name = `tenants_template_${key}`;
	const isThere = async () =>
		(await admin.query("select 1 from pg_database where datname = $1", [name])).rows.length > 0;
	if (await isThere()) return name;
	await admin.query("select pg_advisory_lock(hashtext($1))", [name]);
	try {
		if (await isThere()) return name;
		const unfinished = newName();
		await admin.query(`create database ${unfinished}`);
		const pool = new Pool({ connectionString: at(POSTGRES_URL, unfinished), max: 3 });
		try {
			await migrate(pool);
		} finally {
			await pool.end();
		}
		await admin.query(`alter database ${unfinished} rename to ${name}`);
		return name;
	} finally {
		await admin.query("select pg_advisory_unlock(hashtext($1))", [name]);
	}
};
