import { runMigrations } from "graphile-worker";
import pg from "pg";
import { createLogger } from "../observe/logger.ts";
import { workerLogger } from "./worker-logger.ts";

/** The PostgreSQL schema of the job queue. Not graphile-worker's default, which another application may use. */
export const JOBS_SCHEMA = "tenants_jobs";

type Query = { text: string; values: readonly unknown[] };
type Result = { rows: Record<string, unknown>[] };
/** Runs one statement. */
export type RunQuery = (query: Query) => Promise<Result>;

/**
 * Returns the SQL that the job queue lacks; empty if it is up to date. Reads only. The check at startup uses it too, so
 * both always agree.
 */
export const planJobs = async (run: RunQuery): Promise<string[]> => {
	const planned: string[] = [];
	const record: RunQuery = async (query) => {
		if (/^\s*select (?!pg_notify)/.test(query.text)) return run(query);
		if (!(query.text in COMMANDS) && !query.text.includes("pg_notify($1")) planned.push(spelledOut(query));
		return { rows: [] };
	};
	const { exitCode } = process;
	try {
		await runMigrations({ ...SETTINGS, pgPool: poolOf(record) });
	} finally {
		// graphile-worker sets it if a newer version has changed the schema, and throws
		process.exitCode = exitCode;
	}
	return planned;
};

/**
 * Creates or updates the job queue inside the caller's transaction. graphile-worker runs a transaction for each of its
 * steps and expects its first query to fail in an empty database. Savepoints allow both.
 */
export const migrateJobs = async (run: RunQuery): Promise<boolean> => {
	if ((await planJobs(attempting(run))).length === 0) return false;
	await runMigrations({ ...SETTINGS, pgPool: poolOf(attempting(run)) });
	return true;
};

const SETTINGS = {
	schema: JOBS_SCHEMA,
	noPreparedStatements: true,
	logger: workerLogger(createLogger({ logLevel: "silent" })),
};

const COMMANDS: Record<string, string> = {
	begin: "savepoint jobs_step",
	commit: "release savepoint jobs_step",
	rollback: "rollback to savepoint jobs_step",
};

/** A failed statement does not end the transaction around it. */
const attempting =
	(run: RunQuery): RunQuery =>
	async (query) => {
		const command = COMMANDS[query.text];
		if (command) return run({ text: command, values: [] });
		await run({ text: "savepoint jobs_query", values: [] });
		try {
			const result = await run(query);
			await run({ text: "release savepoint jobs_query", values: [] });
			return result;
		} catch (error) {
			await run({ text: "rollback to savepoint jobs_query", values: [] });
			throw error;
		}
	};

/** A pool that is never connected: graphile-worker accepts nothing less, and everything it runs goes to `run`. */
const poolOf = (run: RunQuery): pg.Pool => {
	const pool = new pg.Pool({ max: 1 });
	const query = (given: string | Query, values: readonly unknown[] = []) =>
		run(typeof given === "string" ? { text: given, values } : { text: given.text, values: given.values ?? values });
	pool.on("error", () => {});
	pool.on("connect", () => {});
	return Object.assign(pool, { query, connect: async () => ({ query, release: () => {} }) });
};

/** A statement without parameters, to be read and run by an administrator. */
const spelledOut = ({ text, values }: Query): string =>
	text
		.replace(/\$(\d+)/g, (_, position: string) => literal(values[Number(position) - 1]))
		.trim()
		.replace(/;$/, "");

const literal = (value: unknown): string => {
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	if (Array.isArray(value)) return `'{${value.join(",")}}'`;
	return pg.escapeLiteral(String(value));
};
