import type { ClientBase, Pool, QueryResult } from "pg";

/** The maximum of pg: building an index takes as long as it takes. */
const NO_TIMEOUT = 2_147_483_647;

/** Runs a statement without the pool's limit on its duration. */
export const patiently = (
	on: ClientBase | Pool,
	text: string,
	values: readonly unknown[] = [],
): Promise<QueryResult<Record<string, unknown>>> => {
	const statement = { text, values: [...values], query_timeout: NO_TIMEOUT };
	return on.query<Record<string, unknown>>(statement);
};

/** The pool as the engine expects it, without that limit. */
export const patientPool = (pool: Pool) => ({
	options: {},
	connect: async () => {
		const client = await pool.connect();
		return {
			query: (sql: string, values?: readonly unknown[]) => patiently(client, sql, values),
			release: () => client.release(),
		};
	},
	query: (sql: string, values?: readonly unknown[]) => patiently(pool, sql, values),
	end: async () => {},
});
