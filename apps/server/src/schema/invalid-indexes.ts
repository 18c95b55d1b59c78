import { setTimeout as sleep } from "node:timers/promises";
import { getDatabaseIndexName } from "@better-auth/core/db/internal";
import type { Pool } from "pg";
import { dropInvalid } from "./concurrent-index.ts";
import type { Migratable } from "./migratable.ts";

/** Milliseconds */
const POLL = 500;

type Invalid = { index: string; table: string; building: boolean };

/**
 * Finds indexes of this configuration whose concurrent build was interrupted, or is still running in a server process
 * without a client. Those of another configuration are not its concern: it serves while they are built.
 */
export const findInvalidIndexes = async (auth: Migratable, pool: Pool): Promise<Invalid[]> => {
	const { tables } = await auth.$context;
	const wanted = Object.values(tables).flatMap(indexNames);
	const { rows } = await pool.query<Invalid>(
		`select i.relname::text as index, t.relname::text as table,
			exists (select from pg_stat_progress_create_index p where p.index_relid = x.indexrelid) as building
		from unnest($1::text[], $2::text[]) as w("table", "index")
		join pg_class t on t.oid = to_regclass(quote_ident(w.table)) join pg_index x on x.indrelid = t.oid
		join pg_class i on i.oid = x.indexrelid and i.relname = w.index
		where not x.indisvalid order by 1`,
		[wanted.map(({ table }) => table), wanted.map(({ index }) => index)],
	);
	return rows;
};

type Table = Awaited<Migratable["$context"]>["tables"][string];

/** The names that the engine gives to the indexes of a table. */
const indexNames = ({ modelName: table, fields, indexes }: Table): { table: string; index: string }[] => {
	const columnOf = (field: string): string => fields[field]?.fieldName ?? field;
	const own = Object.entries(fields).flatMap(([field, { index, unique = false }]) =>
		index || unique ? [getDatabaseIndexName(table, { fields: [columnOf(field)], unique })] : [],
	);
	const compound = (indexes ?? []).map(({ name, unique = false, fields: [first, ...rest] }) =>
		getDatabaseIndexName(table, {
			...(name ? { name } : {}),
			fields: [columnOf(first), ...rest.map(columnOf)],
			unique,
		}),
	);
	return [...new Set([...own, ...compound])].map((index) => ({ table, index }));
};

/** Drops them, so that they are built again. Waits for those that are still being built. */
export const dropInvalidIndexes = async (
	auth: Migratable,
	pool: Pool,
	note: (text: string) => void,
	did: (what: string) => void,
): Promise<void> => {
	for (let look = 1; ; look += 1) {
		const invalid = await findInvalidIndexes(auth, pool);
		for (const { index } of invalid.filter(({ building }) => !building)) {
			await dropInvalid(pool, index);
			did(`dropped index ${index}, whose creation was interrupted`);
		}
		const building = invalid.filter((one) => one.building);
		if (building.length === 0) return;
		if (look === 1) note(`waiting for an index that is being built: ${building.map(({ index }) => index).join(", ")}`);
		await sleep(POLL);
	}
};
