import type { Pool } from "pg";
import { patiently } from "../database/patiently.ts";
import { quote } from "../database/quote.ts";
import { type Retries, retrying } from "./lock-retry.ts";

/** Milliseconds between two notes about an index that is being built. */
const NOTE_INTERVAL = 10_000;

/** Creates an index without blocking writers. If it fails, the invalid index that PostgreSQL leaves is dropped. */
export const createConcurrently = async (pool: Pool, sql: string, index: string, retries: Retries): Promise<void> => {
	const notes = setInterval(() => void sayProgress(pool, index, retries.note), NOTE_INTERVAL);
	try {
		await retrying(sql, retries, async () => {
			try {
				await patiently(pool, concurrently(sql));
			} catch (error) {
				// the next migration does it otherwise
				await dropInvalid(pool, index).catch(() => {});
				throw error;
			}
		});
	} finally {
		clearInterval(notes);
	}
};

/** The statement that builds the index outside of a transaction. */
export const concurrently = (sql: string): string =>
	sql.replace(/^create (unique )?index /, "create $1index concurrently ");

/** The name of the index that a statement creates. */
export const indexOf = (sql: string): string =>
	/^create (?:unique )?index "((?:[^"]|"")+)"/.exec(sql)?.[1]?.replaceAll('""', '"') ?? "";

/** Drops an index if it is invalid, and leaves a valid one alone. */
export const dropInvalid = async (pool: Pool, index: string): Promise<void> => {
	const { rows } = await pool.query("select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid", [
		quote(index),
	]);
	if (rows.length > 0) await patiently(pool, `drop index concurrently if exists ${quote(index)}`);
};

/** It waits for transactions that were open before, which are not ours to end. */
const sayProgress = async (pool: Pool, index: string, note: (text: string) => void): Promise<void> => {
	try {
		const { rows } = await pool.query<{ phase: string }>(
			"select phase from pg_stat_progress_create_index where datname = current_database() and index_relid = to_regclass($1)",
			[quote(index)],
		);
		if (rows[0]) note(`building index ${index}: ${rows[0].phase}`);
	} catch {
		// only a note
	}
};
