import pg from "pg";

/** Blocks every query for users inside the engine, after the request is pinned to its tenant, until released. */
export const lockUsers = async (databaseURL: string) => {
	const client = new pg.Client({ connectionString: databaseURL });
	await client.connect();
	const waiting = async (): Promise<number> => {
		const { rows } = await client.query<{ waiting: number }>(
			"select count(*)::int as waiting from pg_locks where not granted and relation = '\"user\"'::regclass",
		);
		return rows[0]?.waiting ?? 0;
	};
	await client.query("begin");
	await client.query('lock table "user" in access exclusive mode');
	return {
		/** the number of waiting queries */
		waiting,
		letGo: async (): Promise<void> => {
			await client.query("commit");
		},
		close: () => client.end(),
	};
};
