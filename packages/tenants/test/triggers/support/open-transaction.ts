import type { Pool as MysqlPool } from "mysql2/promise";
import type { Pool } from "pg";
import type { TestDatabase } from "test-kit/databases";

/** A connection of its own, for a transaction that a test ends. Identifiers are quoted with ". */
export const openTransaction = async ({ kind, connection }: TestDatabase) => {
	if (kind === "postgres") {
		const client = await (connection as Pool).connect();
		return { run: async (sql: string): Promise<void> => void (await client.query(sql)), end: () => client.release() };
	}
	const client = await (connection as unknown as MysqlPool).getConnection();
	return {
		run: async (sql: string): Promise<void> => void (await client.query(sql.replaceAll('"', "`"))),
		end: () => client.release(),
	};
};
