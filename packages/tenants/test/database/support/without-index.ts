import type { Client } from "pg";

/** Runs `act` without an index and recreates it afterwards. */
export const withoutIndex = async <Result>(
	client: Client,
	index: string,
	act: () => Promise<Result>,
): Promise<Result> => {
	const { rows } = await client.query<{ table: string; ofConstraint: boolean }>(
		`select indrelid::regclass::text as "table", exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u')) as "ofConstraint"
		from pg_index where indexrelid = to_regclass($1)`,
		[`"${index}"`],
	);
	const [found] = rows;
	if (!found) throw new Error(`There is no index ${index}`);
	await client.query("begin");
	try {
		await client.query(
			found.ofConstraint ? `alter table ${found.table} drop constraint "${index}" cascade` : `drop index "${index}"`,
		);
		return await act();
	} finally {
		await client.query("rollback");
	}
};
