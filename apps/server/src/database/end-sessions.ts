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
