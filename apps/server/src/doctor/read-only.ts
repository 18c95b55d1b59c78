import type { Pool, PoolClient } from "pg";
import type { Finding } from "./finding.ts";

/** Milliseconds. The check must not slow the server down. */
const LONGEST = 3_000;

/** Queries in a transaction, so the settings also work through a pooler and do not persist. */
export const inReadOnly = async (pool: Pool, ask: (client: PoolClient) => Promise<Finding[]>): Promise<Finding[]> => {
	const client = await pool.connect();
	try {
		await client.query("begin read only");
		await client.query(`set local statement_timeout = ${LONGEST}`);
		return await ask(client);
	} finally {
		await client.query("rollback").catch(() => {});
		client.release();
	}
};
