import Database from "better-sqlite3";
import type { Example } from "./examples.ts";
import type { ReadTenants } from "./journey.ts";

/** Reads the tenants of an email's users from an SQLite file, beside the application. */
export const fromSqlite =
	(file: () => Promise<string>, { table, tenantColumn }: Example["userTable"]): ReadTenants =>
	async (email) => {
		const database = new Database(await file(), { readonly: true });
		try {
			const rows = database.prepare(`select ${tenantColumn} as tenant from ${table} where email = ?`).all(email);
			return (rows as { tenant: string }[]).map(({ tenant }) => tenant);
		} finally {
			database.close();
		}
	};

type Query = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

/** Reads the same from PostgreSQL. */
export const fromPostgres =
	(query: Query, { table, tenantColumn }: Example["userTable"]): ReadTenants =>
	async (email) => {
		const rows = await query(`select ${tenantColumn} as tenant from ${table} where email = $1`, [email]);
		return rows.map(({ tenant }) => String(tenant));
	};
