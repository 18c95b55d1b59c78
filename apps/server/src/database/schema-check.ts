import { getMigrations } from "better-auth/db/migration";
import { tenantMigrationSteps } from "better-auth-tenants";
import type { Pool } from "pg";
import type { Auth } from "../auth/create-auth.ts";
import { JOBS_SCHEMA, planJobs } from "../jobs/schema.ts";

const FIX = "Run `migrate`";

/** Returns what the database lacks for this configuration and how to fix it; empty if it is complete. Reads only. */
export const checkSchema = async (auth: Auth, pool: Pool): Promise<string[]> => {
	// first, to tell an unreachable database from an incomplete one
	await pool.query("select 1");
	try {
		return [...(await findMissing(auth)), ...(await findUnfinished(auth)), ...(await findJobs(pool))];
	} catch (error) {
		// an index with our name but another definition
		if (error instanceof Error && error.name === "BetterAuthError") return [error.message];
		throw error;
	}
};

const findMissing = async (auth: Auth): Promise<string[]> => {
	const { toBeCreated, toBeAdded, toBeAddedIndexes, schemaProblems } = await getMigrations(auth.options, {
		throwOnUnsafe: false,
	});
	const isNew = (table: string): boolean => toBeCreated.some((created) => created.table === table);
	return [
		...toBeCreated.map(({ table }) => `Table ${table} is missing. ${FIX}`),
		...toBeAdded.flatMap(({ table, fields }) =>
			Object.keys(fields).map((column) => `Table ${table} has no column ${column}. ${FIX}`),
		),
		...toBeAddedIndexes
			.filter(({ table }) => !isNew(table))
			.map(({ table, name }) => `Table ${table} has no index ${name}. ${FIX}`),
		...schemaProblems,
	];
};

const findUnfinished = async (auth: Auth): Promise<string[]> =>
	(await tenantMigrationSteps(auth)).map((sql) => `This statement has not been run: ${sql}. ${FIX}`);

const findJobs = async (pool: Pool): Promise<string[]> => {
	const steps = await planJobs(({ text, values }) => pool.query(text, [...values]));
	return steps.length === 0 ? [] : [`The job queue in schema ${JOBS_SCHEMA} is missing or out of date. ${FIX}`];
};
