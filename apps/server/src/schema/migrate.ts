import type { Pool } from "pg";
import { inTurn, type Turn } from "../database/migration-turn.ts";
import { patiently } from "../database/patiently.ts";
import {
	CREATE_PROCESS_TABLE,
	findProcesses,
	hasProcessTable,
	PROCESS_TABLE,
	type RunningProcess,
} from "../database/processes.ts";
import { JOBS_SCHEMA, migrateJobs, planJobs } from "../jobs/schema.ts";
import { CHANGES, findMissingRecorders } from "./change-log.ts";
import { concurrently, createConcurrently, indexOf } from "./concurrent-index.ts";
import { CONSOLE_TABLES, findMissingConsoleTables } from "./console-tables.ts";
import { findContractSteps, planOf, runContractStep } from "./contract-steps.ts";
import { type EngineChange, readEnginePlan } from "./engine-plan.ts";
import { findMissingFieldIndexes } from "./field-indexes.ts";
import { fillInBatches } from "./fill-in-batches.ts";
import { dropInvalidIndexes } from "./invalid-indexes.ts";
import { inShortTransaction, type Retries } from "./lock-retry.ts";
import type { Migratable } from "./migratable.ts";
import { schemaFingerprint } from "./schema-fingerprint.ts";

/** About four minutes, with pauses of up to ten seconds. */
const ATTEMPTS = 30;

type MigrateOptions = Partial<Retries> & {
	/** also do what processes of the previous version could not stand */
	contract?: boolean;
	/** even if such processes are running */
	force?: boolean;
};

/** Processes that expect another schema are running, so nothing may be taken from them. */
class ProcessesRunningError extends Error {
	override name = "ProcessesRunningError";

	constructor(processes: readonly RunningProcess[]) {
		const list = processes.map(({ host, secondsAgo }) => `  - on ${host}, last seen ${secondsAgo} s ago`).join("\n");
		super(`Processes that expect another schema are running:\n${list}`);
	}
}

/**
 * Returns the SQL that `migrate` would run now, and what waits for `migrate --contract`, without changing anything. Some
 * statements only show once the tables exist.
 */
export const planMigration = async (
	auth: Migratable,
	pool: Pool,
): Promise<{ expand: string[]; contract: string[] }> => {
	const changes = await readEnginePlan(auth, pool);
	const steps = (await planOf(auth, pool)).filter(({ phase }) => phase === "expand");
	const planned = new Set([
		...changes.flatMap((change) => (change.kind === "index" ? [change.index] : [])),
		...steps.map(({ sql }) => indexOf(sql)),
	]);
	return {
		expand: [
			...((await hasProcessTable(pool)) ? [] : [CREATE_PROCESS_TABLE]),
			...steps.map(({ kind, sql }) => (kind === "index" ? concurrently(sql) : sql)),
			...changes.flatMap((change) => (change.kind === "index" ? [concurrently(change.sql)] : change.statements)),
			...(await findMissingFieldIndexes(auth, pool))
				.filter(({ index }) => !planned.has(index))
				.map(({ sql }) => concurrently(sql)),
			...(await findMissingConsoleTables(auth, pool)).flatMap((table) => CONSOLE_TABLES[table] ?? []),
			...(await findMissingRecorders(auth, pool)),
			...(await planJobs(({ text, values }) => pool.query(text, [...values]))),
		],
		contract: (await findContractSteps(auth, pool)).flatMap(({ transactions }) => transactions.flat()),
	};
};

/**
 * Updates the database to this configuration and returns what was done; empty if nothing was missing. Processes of the
 * previous version keep working, unless it contracts.
 *
 * Every change is a transaction of its own that holds its locks briefly. After a failure, the next run continues: it
 * computes again what is missing. Concurrent migrations take turns.
 */
export const migrate = async (
	auth: Migratable,
	pool: Pool,
	log: (done: string) => void,
	{ contract = false, force = false, attempts = ATTEMPTS, note = () => {} }: MigrateOptions = {},
): Promise<string[]> => {
	const done: string[] = [];
	const did = (what: string): void => {
		done.push(what);
		log(what);
	};
	await inTurn(pool, note, async (turn) => {
		const work = { auth, pool, turn, did, retries: { attempts, note } };
		await expandSchema(work);
		if (contract) await contractSchema(work, force);
	});
	return done;
};

type Work = { auth: Migratable; pool: Pool; turn: Turn; did: (what: string) => void; retries: Retries };

const expandSchema = async (work: Work): Promise<void> => {
	const { auth, pool, turn, did, retries } = work;
	if (!(await hasProcessTable(pool))) {
		await runTogether(work, [CREATE_PROCESS_TABLE]);
		did(`created table ${PROCESS_TABLE}`);
	}
	// first, because the engine refuses a database with one
	await dropInvalidIndexes(auth, pool, retries.note, did);
	await runSteps(work);
	for (const change of await readEnginePlan(auth, pool)) {
		await turn.check();
		await runChange(work, change);
		did(change.says);
	}
	for (const { table, index, sql } of await findMissingFieldIndexes(auth, pool)) {
		await turn.check();
		await createConcurrently(pool, sql, index, retries);
		did(`created index ${index} on table ${table}`);
	}
	await runSteps(work);
	for (const table of await findMissingConsoleTables(auth, pool)) {
		await turn.check();
		await runTogether(work, CONSOLE_TABLES[table] ?? []);
		did(`created table ${table}`);
	}
	const recorders = await findMissingRecorders(auth, pool);
	for (const sql of recorders) {
		await turn.check();
		await runTogether(work, [sql]);
	}
	if (recorders.length > 0) did(`changes of users and sessions are recorded in table ${CHANGES}`);
	await turn.check();
	await inShortTransaction(pool, `update schema ${JOBS_SCHEMA}`, retries, async (client) => {
		if (await migrateJobs(({ text, values }) => patiently(client, text, values)))
			did(`updated the job queue in schema ${JOBS_SCHEMA}`);
	});
};

const runChange = async (work: Work, change: EngineChange): Promise<void> => {
	if (change.kind === "index") await createConcurrently(work.pool, change.sql, change.index, work.retries);
	else await runTogether(work, change.statements);
};

const runSteps = async (work: Work): Promise<void> => {
	const { auth, pool, turn, did, retries } = work;
	for (const { phase, kind, table, sql } of await planOf(auth, pool)) {
		if (phase !== "expand") continue;
		await turn.check();
		const index = indexOf(sql);
		if (kind === "index") await createConcurrently(pool, sql, index, retries);
		else if (kind === "fill") await fillInBatches(pool, { table, sql }, retries);
		else await runTogether(work, [sql]);
		did(kind === "index" ? `created index ${index} on table ${table}` : sql);
	}
};

const contractSchema = async ({ auth, pool, turn, did, retries }: Work, force: boolean): Promise<void> => {
	if ((await findContractSteps(auth, pool)).length === 0) return;
	await turn.keepProcessesOut();
	const own = await schemaFingerprint(auth);
	const others = (await findProcesses(pool)).filter(({ schema }) => schema !== own);
	if (others.length > 0 && !force) throw new ProcessesRunningError(others);
	for (const step of await findContractSteps(auth, pool)) {
		await turn.check();
		await runContractStep(pool, step, retries);
		did(step.says);
	}
};

const runTogether = ({ pool, retries }: Work, statements: readonly string[]): Promise<void> =>
	inShortTransaction(pool, statements.join("; "), retries, async (client) => {
		for (const sql of statements) await patiently(client, sql);
	});
