export type Query = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * Finds partial rows in all tables: rows of a missing tenant, rows of a user who is missing or belongs to another
 * tenant, users without an account. A tenant that is being deleted is closed, and is checked after its deletion
 * completes.
 */
export const findHalfMade = async (query: Query): Promise<string[]> => {
	const complaints: string[] = [];
	const complain = async (what: string, sql: string): Promise<void> => {
		const rows = await query(sql);
		if (rows.length > 0)
			complaints.push(`${rows.length} × ${what}, for instance ${JSON.stringify(rows[0]).slice(0, 300)}`);
	};
	const open = `select "id" from "tenant" where "status" = 'active' union all select 'platform'`;
	for (const table of await tablesWith(query, "tenantId")) {
		await complain(
			`row of a missing tenant in ${table}`,
			`select * from "${table}" r where r."tenantId" <> 'platform' and not exists (select 1 from "tenant" t where t."id" = r."tenantId")`,
		);
	}
	for (const table of await tablesWith(query, "userId")) {
		await complain(
			`row without its user in ${table}`,
			`select * from "${table}" r where r."userId" is not null and not exists (select 1 from "user" u where u."id" = r."userId" and u."tenantId" = r."tenantId")`,
		);
	}
	await complain(
		"user without an account",
		`select u."id", u."email", u."tenantId" from "user" u where u."tenantId" in (${open}) and not exists (select 1 from "account" a where a."userId" = u."id")`,
	);
	await complain("user twice in a tenant", 'select "tenantId", "email" from "user" group by 1, 2 having count(*) > 1');
	return complaints;
};

/** The number of rows of a tenant per table, without empty ones. */
export const countRowsOf = async (query: Query, tenantId: string): Promise<Record<string, number>> => {
	const rows: Record<string, number> = {};
	for (const table of await tablesWith(query, "tenantId")) {
		const [counted] = await query(`select count(*)::int as n from "${table}" where "tenantId" = $1`, [tenantId]);
		if (counted?.n) rows[table] = Number(counted.n);
	}
	return rows;
};

/** Says which users changed, also those who are gone, by the end of their id. */
const RECORD = "tenant_session_change";

const tablesWith = async (query: Query, column: string): Promise<string[]> =>
	(
		await query(
			"select table_name as name from information_schema.columns where table_schema = 'public' and column_name = $1 and table_name <> $2 order by 1",
			[column, RECORD],
		)
	).map(({ name }) => String(name));
