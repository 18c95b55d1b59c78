import { getMigrations } from "better-auth/db/migration";
import { tenantMigrationSteps } from "better-auth-tenants";
import type { Pool } from "pg";
import type { Auth } from "../auth/create-auth.ts";

const MEND = "Run `migrate`";

/** What the database lacks of what this configuration needs, each with its mend; nothing where it is fit. Reads only. */
export const checkSchema = async (auth: Auth, pool: Pool): Promise<string[]> => {
	// first of all, so that a database that is gone is told from one that lacks something
	await pool.query("select 1");
	try {
		return [...(await findMissing(auth)), ...(await findUnfinished(auth))];
	} catch (error) {
		// an index that is there under our name and is another one
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
		...toBeCreated.map(({ table }) => `There is no table ${table}. ${MEND}`),
		...toBeAdded.flatMap(({ table, fields }) =>
			Object.keys(fields).map((column) => `The table ${table} has no column ${column}. ${MEND}`),
		),
		...toBeAddedIndexes
			.filter(({ table }) => !isNew(table))
			.map(({ table, name }) => `The table ${table} has no index ${name}. ${MEND}`),
		...schemaProblems,
	];
};

const findUnfinished = async (auth: Auth): Promise<string[]> =>
	(await tenantMigrationSteps(auth)).map((sql) => `The database still needs: ${sql}. ${MEND}`);
