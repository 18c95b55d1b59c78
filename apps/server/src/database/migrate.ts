import { getMigrations } from "better-auth/db/migration";
import { tenantMigrationSteps } from "better-auth-tenants";
import type { Pool, PoolClient } from "pg";
import type { Auth } from "../auth/create-auth.ts";
import { JOBS_SCHEMA, migrateJobs, planJobs } from "../jobs/schema.ts";

/** The id of the advisory lock. Any number works, as long as every process uses the same. */
const LOCK = 7_364_011_951;
/** Maximum milliseconds to wait for a table lock. Later queries on the table queue behind this wait. */
const LOCK_TIMEOUT = 10_000;
/** The maximum of pg: building an index takes as long as it takes. */
const NO_TIMEOUT = 2_147_483_647;

/**
 * Returns the SQL that `migrate` would run now, without changing anything. Some steps only show once the tables exist.
 */
export const planMigration = async (auth: Auth): Promise<string[]> => {
	const steps = await tenantMigrationSteps(auth);
	const { compileMigrations } = await getMigrations(auth.options);
	const compiled = (await compileMigrations()).split(";\n\n").map((statement) => statement.replace(/;$/, ""));
	const { database } = auth.options;
	const jobs = await planJobs(({ text, values }) => database.query(text, [...values]));
	return [...steps, ...compiled.filter((statement) => statement !== ""), ...jobs];
};

/**
 * Updates the database to this configuration and returns what was done; empty if nothing was missing.
 *
 * Everything runs in one transaction under a lock: concurrent migrations take turns, a failed migration changes
 * nothing, and it works through PgBouncer in transaction mode. Changed tables stay locked until it commits.
 */
export const migrate = async (auth: Auth, pool: Pool, log: (done: string) => void): Promise<string[]> => {
	const client = await pool.connect();
	const done: string[] = [];
	const did = (what: string): void => {
		done.push(what);
		log(what);
	};
	try {
		await client.query("begin");
		await patiently(client, `select pg_advisory_xact_lock(${LOCK})`);
		await client.query(`set local lock_timeout = ${LOCK_TIMEOUT}`);
		await changeEverything(auth, client, did);
		await client.query("commit");
		client.release();
		return done;
	} catch (error) {
		// closing the connection rolls back, even if the connection is what failed
		client.release(true);
		throw explain(error);
	}
};

const changeEverything = async (auth: Auth, client: PoolClient, did: (what: string) => void): Promise<void> => {
	const database = onlyThisConnection(client);
	const { adapter, tables, options } = await auth.$context;
	const here = {
		$context: Promise.resolve({ adapter, tables, options: { plugins: options.plugins ?? [], database } }),
	};
	const runSteps = async () => {
		for (const sql of await tenantMigrationSteps(here)) {
			await patiently(client, sql);
			did(sql);
		}
	};
	await runSteps();
	const migration = await getMigrations({ ...auth.options, database });
	await migration.runMigrations();
	for (const { table } of migration.toBeCreated) did(`created table ${table}`);
	for (const { table, fields } of migration.toBeAdded) did(`added ${Object.keys(fields).join(", ")} to table ${table}`);
	for (const { table, name } of migration.toBeAddedIndexes) did(`created index ${name} on table ${table}`);
	await runSteps();
	if (await migrateJobs(({ text, values }) => patiently(client, text, values)))
		did(`updated the job queue in schema ${JOBS_SCHEMA}`);
};

/** Presents one connection as the pool that the engine expects, so it sees uncommitted changes. */
const onlyThisConnection = (client: PoolClient) => {
	const query = (sql: string, values?: readonly unknown[]) => patiently(client, sql, values);
	return { options: {}, connect: async () => ({ query, release: () => {} }), query, end: async () => {} };
};

const patiently = (client: PoolClient, text: string, values: readonly unknown[] = []) => {
	const statement = { text, values: [...values], query_timeout: NO_TIMEOUT };
	return client.query(statement);
};

const explain = (error: unknown): unknown => {
	const isLocked = error instanceof Error && "code" in error && (error.code === "55P03" || error.code === "40P01");
	if (!isLocked) return error;
	return new Error(
		"A table was locked for too long, so nothing was changed. Run migrate again when there is less load",
		{
			cause: error,
		},
	);
};
