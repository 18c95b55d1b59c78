import type { Pool } from "pg";

/** How many values of a table one version of the secret encrypted. Null for values without a version. */
export type StoredVersion = { table: string; version: number | null; values: number };

/** The columns that the server encrypts with its secret. Tables of plugins may be missing. */
const SEALED: Readonly<Record<string, readonly string[]>> = {
	tenantOauthConfig: ["clientId", "clientSecret", "options"],
	twoFactor: ["secret", "backupCodes"],
	jwks: ["privateKey"],
};

/** The engine prefixes values with their version: $ba$2$… The jwt plugin stores them in quotes. */
const VERSION = `case when value like '$ba$%' then split_part(value, '$', 3)::int end`;

const countIn = (
	table: string,
	columns: readonly string[],
): string => `select ${VERSION} as version, count(*)::int as values
	from (${columns.map((column) => `select ltrim("${column}", '"') as value from "${table}"`).join(" union all ")}) as sealed
	where value like '$ba$%' or value ~ '^[0-9a-f]{80,}$'
	group by 1 order by 1`;

/** Counts the encrypted values in the database by the version of the secret. */
export const findStoredVersions = async (pool: Pool): Promise<StoredVersion[]> => {
	const found: StoredVersion[] = [];
	for (const [table, columns] of Object.entries(SEALED)) {
		const { rows: tables } = await pool.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [
			`"${table}"`,
		]);
		if (!tables[0]?.exists) continue;
		const { rows } = await pool.query<Omit<StoredVersion, "table">>(countIn(table, columns));
		found.push(...rows.map((row) => ({ table, ...row })));
	}
	return found;
};
