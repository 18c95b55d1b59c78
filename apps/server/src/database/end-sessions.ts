import type { Pool } from "pg";

const BATCH = 10_000;

/** Deletes all sessions of all tenants and of the platform, in batches, and returns their number. */
export const endAllSessions = async (pool: Pick<Pool, "query">): Promise<number> => {
	let ended = 0;
	for (;;) {
		const { rowCount } = await pool.query('delete from "session" where "id" in (select "id" from "session" limit $1)', [
			BATCH,
		]);
		ended += rowCount ?? 0;
		if ((rowCount ?? 0) < BATCH) return ended;
	}
};

/** The columns that say on whose behalf a session was opened, and what they contain for a user. */
const OPENED_BY: Record<string, (userId: string) => string> = {
	operatorId: (userId) => `user:${userId}`,
	impersonatedBy: (userId) => userId,
};

/** Deletes the sessions that a user opened as somebody else, on the platform and in all tenants. */
export const endImpersonatedBy = async (pool: Pick<Pool, "query">, userId: string): Promise<void> => {
	const { rows } = await pool.query<{ column: string }>(
		`select "column_name" as "column" from "information_schema"."columns"
		where "table_schema" = any (current_schemas(false)) and "table_name" = 'session' and "column_name" = any ($1)`,
		[Object.keys(OPENED_BY)],
	);
	for (const { column } of rows)
		await pool.query(`delete from "session" where "${column}" = $1`, [OPENED_BY[column]?.(userId)]);
};
