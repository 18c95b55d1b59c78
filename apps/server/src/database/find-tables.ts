import type { Pool } from "pg";

/** Returns those of the tables that exist. */
export const findTables = async (pool: Pick<Pool, "query">, tables: string[]): Promise<string[]> => {
	const { rows } = await pool.query<{ table: string }>(
		`select "table" from unnest($1::text[]) as "table" where to_regclass(quote_ident("table")) is not null`,
		[tables],
	);
	return rows.map(({ table }) => table);
};
