import type { Client } from "pg";

type Definition = { table: string; name: string; kind: "p" | "u" | "f"; definition: string };

/**
 * Drops all indexes and constraints of a database and returns a function that restores them. Adding millions of rows
 * takes minutes without them, and hours with them.
 */
export const setAsideIndexes = async (client: Client): Promise<(log: (line: string) => void) => Promise<void>> => {
	const { rows: constraints } = await client.query<Definition>(
		`select conrelid::regclass::text as "table", conname as name, contype as kind, pg_get_constraintdef(oid) as definition
		from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f') order by conname`,
	);
	const foreign = constraints.filter(({ kind }) => kind === "f");
	const unique = constraints.filter(({ kind }) => kind !== "f");
	// referenced constraints must be dropped after the referencing ones
	for (const { table, name } of [...foreign, ...unique])
		await client.query(`alter table ${table} drop constraint "${name}"`);
	const { rows: indexes } = await client.query<{ name: string; definition: string }>(
		"select indexname as name, indexdef as definition from pg_indexes where schemaname = 'public' order by indexname",
	);
	for (const { name } of indexes) await client.query(`drop index "${name}"`);

	return async (log) => {
		const add = ({ table, name, definition }: Definition) => ({
			name,
			statement: `alter table ${table} add constraint "${name}" ${definition}`,
		});
		const steps = [
			...unique.map(add),
			...indexes.map(({ name, definition }) => ({ name, statement: definition })),
			...foreign.map(add),
		];
		for (const [at, { name, statement }] of steps.entries()) {
			await client.query(statement);
			log(`${at + 1} of ${steps.length} indexes and keys: ${name}`);
		}
	};
};
