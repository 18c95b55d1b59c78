import type { Pool } from "pg";
import type { Engine } from "../stage/engine.ts";

const TABLES = ["user", "account", "session"] as const;
type Table = (typeof TABLES)[number];

/** Creates a tenant and one user, whose rows the others are copies of. */
export const startTenant = async (engine: Engine, slug: string): Promise<string> => {
	const tenantId = await engine.newTenant(slug);
	await engine.signUp("person-0@example.com", tenantId);
	return tenantId;
};

/** Gives a tenant more users, each with an account and a session. */
export const fillTenant = async (pool: Pool, tenantId: string, users: number): Promise<void> => {
	const userId = `md5('user ${tenantId} ' || n)`;
	const changed: Record<Table, Record<string, string>> = {
		user: { id: userId, email: "'person-' || n || '@example.com'" },
		account: { id: `md5('account ${tenantId} ' || n)`, userId, accountId: userId },
		// the tenant follows the separator
		session: {
			id: `md5('session ${tenantId} ' || n)`,
			userId,
			token: `regexp_replace(one."token", '^[^~]*', ${userId})`,
		},
	};
	for (const table of TABLES) {
		const { rows } = await pool.query<{ name: string }>(
			"select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER'",
			[table],
		);
		const columns = rows.map(({ name }) => `"${name}"`).join(", ");
		const values = rows.map(({ name }) => changed[table][name] ?? `one."${name}"`).join(", ");
		await pool.query(
			`insert into "${table}" (${columns})
			select ${values} from (select * from "${table}" where "tenantId" = '${tenantId}' limit 1) one, generate_series(1, ${users - 1}) n`,
		);
	}
};

/** The rows of a tenant in these tables. */
export const countRows = async (pool: Pool, tenantId: string): Promise<number> => {
	const counts = TABLES.map((table) => `(select count(*) from "${table}" where "tenantId" = $1)`);
	const { rows } = await pool.query<{ n: number }>(`select (${counts.join(" + ")})::int as n`, [tenantId]);
	return rows[0]?.n ?? 0;
};

/** From now on, statistics change only when the benchmark says so. */
export const stopAutovacuum = async (pool: Pool): Promise<void> => {
	for (const table of TABLES) await pool.query(`alter table "${table}" set (autovacuum_enabled = false)`);
};
