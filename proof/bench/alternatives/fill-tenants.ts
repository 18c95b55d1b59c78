import type { Pool } from "pg";

/** How a copy differs from the original row, by the tenant's number; see tenant-names.ts. */
const TENANT_ID = "'t' || lpad(n::text, 31, '0')";
const USER_ID = "'u' || lpad(n::text, 31, '0')";
const CHANGED: Record<string, Record<string, string>> = {
	tenant: { id: TENANT_ID, slug: "'tenant-' || n" },
	user: { id: USER_ID, email: "'person-' || n || '@example.com'", tenantId: TENANT_ID },
	account: { id: "'a' || lpad(n::text, 31, '0')", userId: USER_ID, accountId: USER_ID, tenantId: TENANT_ID },
};

/** Copies the one row of each table, for this many tenants with one user each. */
export const fillTenants = async (pool: Pool, tables: string[], tenants: number): Promise<void> => {
	for (const table of tables) {
		const { rows } = await pool.query<{ name: string }>(
			"select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'",
			[table],
		);
		const columns = rows.map(({ name }) => `"${name}"`).join(", ");
		const values = rows.map(({ name }) => CHANGED[table]?.[name] ?? `one."${name}"`).join(", ");
		await pool.query(
			`insert into "${table}" (${columns}) select ${values} from (select * from "${table}" limit 1) one, generate_series(0, ${tenants - 1}) n`,
		);
	}
	await pool.query("vacuum analyze");
};
