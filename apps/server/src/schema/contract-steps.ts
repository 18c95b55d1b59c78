import { tenantMigrationPlan } from "better-auth-tenants";
import type { Pool } from "pg";
import { patiently, patientPool } from "../database/patiently.ts";
import { quote } from "../database/quote.ts";
import { CHANGES, findLeftoverRecorders } from "./change-log.ts";
import { inShortTransaction, type Retries } from "./lock-retry.ts";
import type { Migratable } from "./migratable.ts";

/** A change that processes of the previous version could not stand, so it waits for `migrate --contract`. */
export type ContractStep = {
	/** what `migrate` says when it is done */
	says: string;
	/** what the operator reads while it waits */
	waits: string;
	/** each runs in its own transaction */
	transactions: string[][];
	/** finds a row that is in the way, and how to fix it */
	obstacle?: { sql: string; fix: string };
};

/** Returns the steps that are left, in the order in which they run; empty if the schema is contracted. Reads only. */
export const findContractSteps = async (auth: Migratable, pool: Pool): Promise<ContractStep[]> => [
	...(await findLeftover(auth, pool)),
	...(await findOptional(auth, pool)),
	...(await findUnreadRecord(auth, pool)),
];

/** Runs one step. */
export const runContractStep = async (pool: Pool, step: ContractStep, retries: Retries): Promise<void> => {
	if (step.obstacle) {
		const { rows } = await patiently(pool, step.obstacle.sql);
		if (rows.length > 0) throw new Error(`Could not do: ${step.waits}. ${step.obstacle.fix}`);
	}
	for (const statements of step.transactions)
		await inShortTransaction(pool, statements.join("; "), retries, async (client) => {
			for (const sql of statements) await patiently(client, sql);
		});
};

/** The plugin for this database, with statements that may take as long as they need. */
export const planOf = async (auth: Migratable, pool: Pool) => {
	const { adapter, tables, options } = await auth.$context;
	const database = patientPool(pool);
	return tenantMigrationPlan({
		$context: Promise.resolve({ adapter, tables, options: { plugins: options.plugins ?? [], database } }),
	});
};

/** Unique indexes that span all tenants. Tenants stay closed while they exist. */
const findLeftover = async (auth: Migratable, pool: Pool): Promise<ContractStep[]> =>
	(await planOf(auth, pool))
		.filter(({ phase }) => phase === "contract")
		.map(({ sql }) => ({ says: sql, waits: sql, transactions: [[sql]] }));

/** Changes that are recorded for a cache that no process has any more. They would fill a table that nobody empties. */
const findUnreadRecord = async (auth: Migratable, pool: Pool): Promise<ContractStep[]> => {
	const statements = await findLeftoverRecorders(auth, pool);
	const says = `dropped table ${CHANGES} and its triggers, because Redis is not configured`;
	const waits = `drop table "${CHANGES}" with its triggers, because Redis is not configured`;
	return statements.length === 0 ? [] : [{ says, waits, transactions: [statements] }];
};

/** Columns that this version always sets. They were added as nullable, because the previous version does not. */
const findOptional = async (auth: Migratable, pool: Pool): Promise<ContractStep[]> => {
	const { tables } = await auth.$context;
	const required = Object.values(tables)
		.filter(({ disableMigrations }) => !disableMigrations)
		.flatMap(({ modelName: table, fields }) =>
			Object.entries(fields)
				.filter(([, field]) => field.required !== false)
				.map(([field, { fieldName }]) => ({ table, column: fieldName ?? field })),
		);
	const { rows } = await pool.query<{ table: string; column: string }>(
		`select w.table, w.column from unnest($1::text[], $2::text[]) as w("table", "column")
		join pg_attribute a on a.attrelid = to_regclass(quote_ident(w.table)) and a.attname = w.column
		where a.attnum > 0 and not a.attisdropped and not a.attnotnull`,
		[required.map(({ table }) => table), required.map(({ column }) => column)],
	);
	return rows.map(({ table, column }) => requireColumn(table, column));
};

/** Reads the table without blocking writers: with a valid check, `set not null` does not read it again. */
const requireColumn = (table: string, column: string): ContractStep => {
	const check = quote(`${table}_${column}_required`.slice(0, 63));
	const alter = `alter table ${quote(table)}`;
	const isNull = `${quote(column)} is null`;
	const sql = `${alter} alter column ${quote(column)} set not null`;
	return {
		says: `made ${column} required in table ${table}`,
		waits: sql,
		transactions: [
			// an interrupted run may have left the check
			[`${alter} drop constraint if exists ${check}, add constraint ${check} check (not ${isNull}) not valid`],
			[`${alter} validate constraint ${check}`],
			[sql, `${alter} drop constraint ${check}`],
		],
		obstacle: {
			sql: `select 1 from ${quote(table)} where ${isNull} limit 1`,
			fix: `Rows in table ${table} have no ${column}. Set it in each of them, then run \`migrate --contract\` again`,
		},
	};
};
