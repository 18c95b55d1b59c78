import { getDatabaseIndexName } from "@better-auth/core/db/internal";
import type { Pool } from "pg";
import { quote } from "../database/quote.ts";
import type { Migratable } from "./migratable.ts";

type FieldIndex = { table: string; index: string; sql: string };

/**
 * Finds columns that should have an index and have none. The engine creates the index of a column only together with
 * the column, so after an interruption in between it would never exist.
 */
export const findMissingFieldIndexes = async (auth: Migratable, pool: Pool): Promise<FieldIndex[]> => {
	const { tables } = await auth.$context;
	const wanted = Object.values(tables)
		.filter(({ disableMigrations }) => !disableMigrations)
		.flatMap(({ modelName: table, fields }) =>
			Object.entries(fields)
				.filter(([, { index, unique }]) => index && !unique)
				.map(([field, { fieldName }]) => ({ table, column: fieldName ?? field })),
		);
	const { rows } = await pool.query<{ table: string; column: string }>(
		`select w.table, w.column from unnest($1::text[], $2::text[]) as w("table", "column")
		join pg_attribute a on a.attrelid = to_regclass(quote_ident(w.table)) and a.attname = w.column and not a.attisdropped
		where not exists (select from pg_index x where x.indrelid = a.attrelid and x.indkey[0] = a.attnum)`,
		[wanted.map(({ table }) => table), wanted.map(({ column }) => column)],
	);
	return rows.map(({ table, column }) => {
		const index = getDatabaseIndexName(table, { fields: [column], unique: false });
		return { table, index, sql: `create index ${quote(index)} on ${quote(table)} (${quote(column)})` };
	});
};
