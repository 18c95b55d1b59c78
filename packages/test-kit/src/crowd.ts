/** Runs one statement; where somebody waits for rows, they are its answer. */
type Query = (sql: string) => Promise<unknown[]>;

/** The tables that a crowd fills, in an order in which rows may be added. */
export const CROWDED = ["tenant", "tenantOauthConfig", "user", "account", "session", "verification"] as const;
type Table = (typeof CROWDED)[number];

const TEMPLATES = "crowd_templates";

/** As long as the engine's own ids, and like them in no order of time. */
const idOf = (kind: string, n: string): string => `md5('${kind}-' || ${n})`;

/** The n-th user's place between 0 and 1: steps of the golden ratio lie evenly, however many there are. */
const placeOf = (n: string): string => `(${n} * 0.6180339887498949::float8 - floor(${n} * 0.6180339887498949::float8))`;

/** A session token of our shape. In base64, hexadecimal ids have none of the letters in which base64url differs. */
const tokenOf = (n: string, tenantId: string): string =>
	`${idOf("token", n)} || '~' || rtrim(encode(convert_to(${tenantId}, 'UTF8'), 'base64'), '=')`;

/** The id of the tenant that is the largest but `rank - 1` others. */
export const crowdTenantId = (rank: number | string): string => idOf("tenant", `${rank}`);

export const crowdUserId = (n: number | string): string => idOf("user", `${n}`);

/**
 * Rows in masses on PostgreSQL, cloned from rows that the engine wrote, so that every column is as it writes them. Tenants
 * are skewed: the one of rank k has a share of ln(1 + 1/k) of all users, which is close to 1/k.
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
	/** n, id, and the tenant of each user */
	const people = (tenants: number, first: number, last: number): string =>
		`(select n, ${crowdUserId("n")} as user_id, ${crowdTenantId(`floor(power(${tenants + 1}, ${placeOf("n")}))::bigint`)} as tenant_id
		from ${series(first, last)}) person`;

	return {
		/** Takes what the engine wrote, one row of each table, out of the tables and keeps it to be cloned. */
		takeTemplates: async (): Promise<void> => {
			await query(`create schema ${TEMPLATES}`);
			for (const table of CROWDED)
				await query(`create table ${TEMPLATES}."${table}" as select * from "${table}" limit 1`);
			for (const table of CROWDED.toReversed()) await query(`delete from "${table}"`);
		},
		dropTemplates: async (): Promise<void> => {
			await query(`drop schema ${TEMPLATES} cascade`);
		},
		/** Each with an OAuth config, which does not open: it was sealed for another tenant. */
		addTenants: async (first: number, last: number): Promise<void> => {
			await clone("tenant", series(first, last), { id: crowdTenantId("n"), slug: "'tenant-' || n" });
			await clone("tenantOauthConfig", series(first, last), { id: idOf("config", "n"), tenantId: crowdTenantId("n") });
		},
		/** Each with an account, whose password is the template's, and two sessions. */
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
		/** Social sign-ins that were started and never ended. */
		addVerifications: async (tenants: number, first: number, last: number): Promise<void> =>
			clone("verification", people(tenants, first, last), {
				id: idOf("verification", "n"),
				tenantId: "tenant_id",
				identifier: `'auth-state:' || ${idOf("state", "n")}`,
			}),
	};
};
