/** Runs a statement and returns its rows, if any. */
type Query = (sql: string) => Promise<unknown[]>;

/** The tables that a crowd fills, in insertion order. */
export const CROWDED = ["tenant", "tenantOauthConfig", "user", "account", "session", "verification"] as const;
type Table = (typeof CROWDED)[number];

const TEMPLATES = "crowd_templates";

/** As long as the engine's ids, and in random order. */
const idOf = (kind: string, n: string): string => `md5('${kind}-' || ${n})`;

/** The n-th user's position between 0 and 1. Steps of the golden ratio are evenly spread for any count. */
const placeOf = (n: string): string => `(${n} * 0.6180339887498949::float8 - floor(${n} * 0.6180339887498949::float8))`;

/** A session token in the plugin's format. Hexadecimal ids in base64 avoid the letters in which base64url differs. */
const tokenOf = (n: string, tenantId: string): string =>
	`${idOf("token", n)} || '~' || rtrim(encode(convert_to(${tenantId}, 'UTF8'), 'base64'), '=')`;

/** The id of the tenant of this rank by size. */
export const crowdTenantId = (rank: number | string): string => idOf("tenant", `${rank}`);

export const crowdUserId = (n: number | string): string => idOf("user", `${n}`);

/**
 * Bulk rows on PostgreSQL, cloned from rows that the engine wrote, so every column is realistic. Tenants are skewed:
 * rank k has a share of ln(1 + 1/k) of all users, which is close to 1/k.
 */
export const createCrowd = (query: Query) => {
	const clone = async (table: Table, from: string, changed: Record<string, string>): Promise<void> => {
		const rows = (await query(
			`select column_name as name from information_schema.columns where table_schema = 'public' and table_name = '${table}'`,
		)) as { name: string }[];
		const columns = rows.map(({ name }) => `"${name}"`).join(", ");
		const values = rows.map(({ name }) => changed[name] ?? `one."${name}"`).join(", ");
		await query(`insert into "${table}" (${columns}) select ${values} from ${TEMPLATES}."${table}" one, ${from}`);
	};
	const series = (first: number, last: number): string => `generate_series(${first}, ${last}) n`;
	/** n, id and tenant of each user */
	const people = (tenants: number, first: number, last: number): string =>
		`(select n, ${crowdUserId("n")} as user_id, ${crowdTenantId(`floor(power(${tenants + 1}, ${placeOf("n")}))::bigint`)} as tenant_id
		from ${series(first, last)}) person`;

	return {
		/** Moves one row per table that the engine wrote out of the tables, as a template. */
		takeTemplates: async (): Promise<void> => {
			await query(`create schema ${TEMPLATES}`);
			for (const table of CROWDED)
				await query(`create table ${TEMPLATES}."${table}" as select * from "${table}" limit 1`);
			for (const table of CROWDED.toReversed()) await query(`delete from "${table}"`);
		},
		dropTemplates: async (): Promise<void> => {
			await query(`drop schema ${TEMPLATES} cascade`);
		},
		/** Each has an OAuth config, which does not decrypt: it was sealed for another tenant. */
		addTenants: async (first: number, last: number): Promise<void> => {
			await clone("tenant", series(first, last), { id: crowdTenantId("n"), slug: "'tenant-' || n" });
			await clone("tenantOauthConfig", series(first, last), { id: idOf("config", "n"), tenantId: crowdTenantId("n") });
		},
		/** Each has an account with the template's password, and two sessions. */
		addUsers: async (tenants: number, first: number, last: number): Promise<void> => {
			const of = people(tenants, first, last);
			const owned = { userId: "user_id", tenantId: "tenant_id" };
			await clone("user", of, {
				id: "user_id",
				tenantId: "tenant_id",
				email: "'person-' || n || '@example.com'",
			});
			await clone("account", of, { ...owned, id: idOf("account", "n"), accountId: "user_id" });
			const session = "(n * 2 + half)";
			await clone("session", `${of}, generate_series(0, 1) half`, {
				...owned,
				id: idOf("session", session),
				token: tokenOf(session, "tenant_id"),
			});
		},
		/** Social sign-ins that were started and not completed. */
		addVerifications: async (tenants: number, first: number, last: number): Promise<void> =>
			clone("verification", people(tenants, first, last), {
				id: idOf("verification", "n"),
				tenantId: "tenant_id",
				identifier: `'auth-state:' || ${idOf("state", "n")}`,
			}),
	};
};
