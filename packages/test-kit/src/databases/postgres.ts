import { Client, Pool } from "pg";
import type { Template } from "../templates.ts";
import { at, newName, type TestDatabase } from "./test-database.ts";

const POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";

export const createPostgres = async (template?: Template): Promise<TestDatabase> => {
	const name = newName();
	const admin = new Client({ connectionString: POSTGRES_URL });
	await admin.connect();
	if (template) await admin.query(`create database ${name} template ${await makeTemplate(admin, template)}`);
	else await admin.query(`create database ${name}`);
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

/**
 * The name of a database with the template's tables. It is made once for a server: workers wait for each other, and it takes its
 * name when it is complete, so that what an ended run left half done is not used.
 */
const makeTemplate = async (admin: Client, { key, migrate }: Template): Promise<string> => {
	const name = `tenants_template_${key}`;
	const isThere = async () =>
		(await admin.query("select 1 from pg_database where datname = $1", [name])).rows.length > 0;
	if (await isThere()) return name;
	await admin.query("select pg_advisory_lock(hashtext($1))", [name]);
	try {
		if (await isThere()) return name;
		const unfinished = newName();
		await admin.query(`create database ${unfinished}`);
		const pool = new Pool({ connectionString: at(POSTGRES_URL, unfinished), max: 1 });
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
