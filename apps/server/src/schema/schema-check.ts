import { getMigrations } from "better-auth/db/migration";
import type { Pool } from "pg";
import { hasProcessTable, PROCESS_TABLE } from "../database/processes.ts";
import { JOBS_SCHEMA, planJobs } from "../jobs/schema.ts";
import { findMissingRecorders } from "./change-log.ts";
import { findMissingConsoleTables } from "./console-tables.ts";
import { findContractSteps, planOf } from "./contract-steps.ts";
import { findMissingFieldIndexes } from "./field-indexes.ts";
import { findInvalidIndexes } from "./invalid-indexes.ts";
import type { Migratable } from "./migratable.ts";

const FIX = "Run `migrate`";

/**
 * Returns what the database lacks for this configuration and how to fix it; empty if it is complete. What waits for
 * `migrate --contract` is not missing. Reads only.
 */
export const checkSchema = async (auth: Migratable, pool: Pool): Promise<string[]> => {
	// first, to tell an unreachable database from an incomplete one
	await pool.query("select 1");
	const invalid = await findInvalidIndexes(auth, pool);
	if (invalid.length > 0)
		return invalid.map(({ index, building }) =>
			building
				? `Index ${index} is still being created. Wait until it is complete`
				: `The creation of index ${index} was interrupted. ${FIX}`,
		);
	try {
		return [
			...(await findMissing(auth, pool)),
			...(await findUnfinished(auth, pool)),
			...(await findRecorders(auth, pool)),
			...(await findJobs(pool)),
		];
	} catch (error) {
		// an index with our name but another definition
		if (error instanceof Error && error.name === "BetterAuthError") return [error.message];
		throw error;
	}
};

/** Returns the SQL that waits for `migrate --contract`; empty if nothing does. Reads only. */
export const findPending = async (auth: Migratable, pool: Pool): Promise<string[]> =>
	(await findContractSteps(auth, pool)).map(({ waits }) => waits);

const findMissing = async (auth: Migratable, pool: Pool): Promise<string[]> => {
	const { toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems } = await getMigrations(auth.options, {
		throwOnUnsafe: false,
	});
	const isNew = (table: string): boolean => toBeCreated.some((created) => created.table === table);
	const indexes = [
		...toBeAddedIndexes.filter(({ table }) => !isNew(table)),
		...(await findMissingFieldIndexes(auth, pool)).map(({ table, index }) => ({ table, name: index })),
	];
	return [
		...((await hasProcessTable(pool)) ? [] : [`Table ${PROCESS_TABLE} is missing. ${FIX}`]),
		...toBeCreated.map(({ table }) => `Table ${table} is missing. ${FIX}`),
		...(await findMissingConsoleTables(auth, pool)).map((table) => `Table ${table} is missing. ${FIX}`),
		...toBeAdded.flatMap(({ table, fields }) =>
			Object.keys(fields).map((column) => `Table ${table} has no column ${column}. ${FIX}`),
		),
		...indexes.map(({ table, name }) => `Table ${table} has no index ${name}. ${FIX}`),
		...schemaProblems,
	];
};

const findUnfinished = async (auth: Migratable, pool: Pool): Promise<string[]> =>
	(await planOf(auth, pool))
		.filter(({ phase }) => phase === "expand")
		.map(({ sql }) => `This statement has not been run: ${sql}. ${FIX}`);

const findRecorders = async (auth: Migratable, pool: Pool): Promise<string[]> => {
	const missing = await findMissingRecorders(auth, pool);
	return missing.length === 0
		? []
		: [`Changes of sessions are not recorded. Migrations need the same variables for Redis. ${FIX}`];
};

const findJobs = async (pool: Pool): Promise<string[]> => {
	const steps = await planJobs(({ text, values }) => pool.query(text, [...values]));
	return steps.length === 0 ? [] : [`The job queue in schema ${JOBS_SCHEMA} is missing or out of date. ${FIX}`];
};
