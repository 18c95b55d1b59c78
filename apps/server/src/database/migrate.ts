import { getMigrations } from "better-auth/db/migration";
import { tenantMigrationSteps } from "better-auth-tenants";
import type { Pool, PoolClient } from "pg";
import type { Auth } from "../auth/create-auth.ts";

/** Any number does, as long as all of us take the same: the name of the lock that a migration holds. */
const LOCK = 7_364_011_951;
/** Milliseconds that a statement waits for a table: whoever needs it next would wait behind us for as long. */
const LOCK_TIMEOUT = 10_000;
/** pg's longest: building an index takes what it takes. */
const NO_TIMEOUT = 2_147_483_647;

/** The SQL that `migrate` would run now. Reads only; what an update leaves to do shows once the tables are there. */
export const planMigration = async (auth: Auth): Promise<string[]> => {
	const steps = await tenantMigrationSteps(auth);
	const { compileMigrations } = await getMigrations(auth.options);
	const compiled = (await compileMigrations()).split(";\n\n").map((statement) => statement.replace(/;$/, ""));
	return [...steps, ...compiled.filter((statement) => statement !== "")];
};

/**
 * Brings the database to what this configuration needs, and answers what it did in words; nothing where all was there.
 *
 * All of it happens in one transaction under a lock: two of us take turns, a migration that fails leaves everything as it
 * was, and PgBouncer in transaction mode may stand in between. It locks the tables that it changes until it is done.
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
		// the end of the connection rolls back, even where the connection is what failed
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
	for (const { table } of migration.toBeCreated) did(`made the table ${table}`);
	for (const { table, fields } of migration.toBeAdded)
		did(`added ${Object.keys(fields).join(", ")} to the table ${table}`);
	for (const { table, name } of migration.toBeAddedIndexes) did(`made the index ${name} on the table ${table}`);
	await runSteps();
};

/** The one connection as the pool that the engine and the package expect, so that they see what is not committed yet. */
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
	return new Error("A table is in use all the time, so nothing was changed. Run migrate again when less is going on", {
		cause: error,
	});
};
