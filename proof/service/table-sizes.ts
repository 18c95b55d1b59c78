import type { Pool } from "pg";

export type TableSize = { table: string; rows: number; tableBytes: number; indexBytes: number };

const TABLES = ["tenant", "user", "account", "session"] as const;

type Fill = { tenants: number; users: number; log: (line: string) => void };

/** Copies the one tenant, user, account and session with new names, up to this number. */
export const fillTables = async (pool: Pool, { tenants, users, log }: Fill): Promise<void> => {
	const ofTenant = (n: string) => `'t' || lpad((${n} % ${tenants})::text, 31, '0')`;
	const copies: Record<(typeof TABLES)[number], [number, Record<string, string>]> = {
		tenant: [tenants, { id: ofTenant("n"), slug: "'tenant-' || n" }],
		user: [
			users,
			{ id: "'u' || lpad(n::text, 31, '0')", tenantId: ofTenant("n"), email: "'person-' || n || '@example.com'" },
		],
		account: [
			users,
			{
				id: "'a' || lpad(n::text, 31, '0')",
				userId: "'u' || lpad(n::text, 31, '0')",
				accountId: "'u' || lpad(n::text, 31, '0')",
				tenantId: ofTenant("n"),
			},
		],
		session: [
			2 * users,
			{
				id: "'s' || lpad(n::text, 31, '0')",
				userId: `'u' || lpad((n % ${users})::text, 31, '0')`,
				tenantId: ofTenant(`(n % ${users})`),
				token: "md5(n::text) || md5((n + 1)::text)",
			},
		],
	};
	for (const table of TABLES) {
		const [count, changed] = copies[table];
		const { rows } = await pool.query<{ name: string }>(
			"select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'",
			[table],
		);
		const columns = rows.map(({ name }) => `"${name}"`).join(", ");
		const values = rows.map(({ name }) => changed[name] ?? `one."${name}"`).join(", ");
		await pool.query(
			`insert into "${table}" (${columns}) select ${values} from (select * from "${table}" limit 1) one, generate_series(0, ${count - 1}) n`,
		);
		log(`${count} rows in ${table}`);
	}
	await pool.query("vacuum analyze");
};

/** The sizes of the tables, with and without their indexes. */
export const measureTables = async (pool: Pool): Promise<TableSize[]> => {
	const sizes: TableSize[] = [];
	for (const table of TABLES) {
		const { rows } = await pool.query<{ rows: number; tableBytes: string; indexBytes: string }>(
			`select (select count(*)::int from "${table}") as rows, pg_table_size('"${table}"') as "tableBytes", pg_indexes_size('"${table}"') as "indexBytes"`,
		);
		const [size] = rows;
		sizes.push({
			table,
			rows: size?.rows ?? 0,
			tableBytes: Number(size?.tableBytes),
			indexBytes: Number(size?.indexBytes),
		});
	}
	return sizes;
};

/** All unique indexes, and whether they contain the tenant. */
export const uniqueIndexes = async (pool: Pool) => {
	const { rows } = await pool.query<{ table: string; columns: string[] }>(
		`select t.relname as table, array_agg(a.attname::text order by k.position) as columns
		from pg_index i join pg_class t on t.oid = i.indrelid join pg_namespace s on s.oid = t.relnamespace
		cross join lateral unnest(i.indkey) with ordinality as k(number, position)
		join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
		where i.indisunique and s.nspname = current_schema() group by t.relname, i.indexrelid order by 1, 2`,
	);
	return rows.map(({ table, columns }) => ({ table, columns, hasTenant: columns.includes("tenantId") }));
};
