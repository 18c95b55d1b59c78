import type { Pool } from "pg";
import { patiently } from "../database/patiently.ts";
import { inShortTransaction, type Retries } from "./lock-retry.ts";

/** Pages of a table per batch: a few thousand rows, which stay locked for a moment. */
const PAGES = 64;
/** Milliseconds between two notes. */
const NOTE_INTERVAL = 10_000;

/**
 * Runs an update of many rows page by page, each batch in its own transaction. Rows that are added meanwhile have their
 * values already, and rows that move are filled.
 */
export const fillInBatches = async (
	pool: Pool,
	{ table, sql, pages = PAGES }: { table: string; sql: string; pages?: number },
	retries: Retries,
): Promise<void> => {
	const { rows } = await pool.query<{ pages: number }>(
		"select (pg_relation_size(to_regclass(quote_ident($1))) / current_setting('block_size')::int)::int as pages",
		[table],
	);
	// one more: the last page may have grown since
	const all = (rows[0]?.pages ?? 0) + 1;
	let noted = performance.now();
	for (let page = 0; page < all; page += pages) {
		const batch = `${sql} and ctid >= '(${page},0)'::tid and ctid < '(${page + pages},0)'::tid`;
		await inShortTransaction(pool, batch, retries, async (client) => {
			await patiently(client, batch);
		});
		if (performance.now() - noted < NOTE_INTERVAL) continue;
		noted = performance.now();
		retries.note(`filling table ${table}: ${page + pages} of ${all} pages`);
	}
};
