import { getMigrations } from "better-auth/db/migration";
import type { Pool } from "pg";
import { patientPool } from "../database/patiently.ts";
import type { Migratable } from "./migratable.ts";

/** A part of the engine's migration. */
export type EngineChange =
	/** a table with its indexes, in one transaction */
	| { kind: "table"; table: string; says: string; statements: string[] }
	/** the columns that an existing table gets, in one transaction */
	| { kind: "columns"; table: string; says: string; statements: string[] }
	/** an index of an existing table */
	| { kind: "index"; table: string; index: string; says: string; sql: string };

const NAME = '"((?:[^"]|"")+)"';
const CREATE_TABLE = new RegExp(`^create table ${NAME} `);
const ADD_COLUMN = new RegExp(`^(alter table ${NAME} add column ${NAME} )(.+)$`, "s");
const CREATE_INDEX = new RegExp(`^create (?:unique )?index ${NAME} on ${NAME} `);

/**
 * Reads the engine's migration, statement by statement. The engine would run all of them at once: an index would block
 * writers while it is built, and processes of the previous version could not write to a table with a new required
 * column.
 */
export const readEnginePlan = async (auth: Migratable, pool: Pool): Promise<EngineChange[]> => {
	// a required column without a default is unsafe on a table with rows; here it is added as nullable
	const { compileMigrations } = await getMigrations(
		{ ...auth.options, database: patientPool(pool) },
		{ throwOnUnsafe: false },
	);
	return groupStatements(
		(await compileMigrations())
			.split(";\n\n")
			.map((statement) => statement.replace(/;$/, ""))
			.filter((statement) => statement !== ""),
	);
};

/** Groups the statements in the engine's order. Throws for a statement of a kind that the engine did not write before. */
export const groupStatements = (statements: readonly string[]): EngineChange[] => {
	const changes: EngineChange[] = [];
	const findTransaction = (kind: "table" | "columns", table: string) =>
		changes.find((one) => one.kind === kind && one.table === table) as
			| Extract<EngineChange, { kind: "table" | "columns" }>
			| undefined;
	for (const sql of statements) {
		const created = CREATE_TABLE.exec(sql);
		const added = ADD_COLUMN.exec(sql);
		const indexed = CREATE_INDEX.exec(sql);
		if (created) {
			const [, table = ""] = created;
			changes.push({ kind: "table", table, says: `created table ${table}`, statements: [sql] });
		} else if (added) {
			const [, start = "", table = "", column = "", definition = ""] = added;
			const statement = start + withoutRequired(definition);
			const same = findTransaction("columns", table);
			if (same) {
				same.statements.push(statement);
				same.says = same.says.replace(/ to table /, `, ${column} to table `);
			} else
				changes.push({ kind: "columns", table, says: `added ${column} to table ${table}`, statements: [statement] });
		} else if (indexed) {
			const [, index = "", table = ""] = indexed;
			const same = findTransaction("table", table);
			if (same) same.statements.push(sql);
			else changes.push({ kind: "index", table, index, says: `created index ${index} on table ${table}`, sql });
		} else throw new Error(`Better Auth's migration has a statement that cannot be run without a stop: ${sql}`);
	}
	return changes;
};

/** Processes of the previous version do not set the column. `migrate --contract` makes it required. */
const withoutRequired = (definition: string): string =>
	/ default /.test(definition) ? definition : definition.replace(/ not null/, "");
