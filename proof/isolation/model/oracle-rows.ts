import { Client } from "pg";

export type ChangedRow = { table: string; op: string; before: string | null; after: string | null; id: string };

/**
 * Records every changed row: a trigger on each tenant table writes down the owner before and after. Read it when no
 * request is in flight, so that the changes belong to the requests that just ended.
 */
export const watchRows = async (databaseURL: string) => {
	const client = new Client({ connectionString: databaseURL });
	await client.connect();
	// changes by the harness are not leaks
	await client.query("set session_replication_role = replica");
	await client.query(`create unlogged table isolation_log (
		seq bigserial primary key, name text not null, op text not null, before text, after text, id text not null)`);
	await client.query(`create function isolation_note() returns trigger language plpgsql as $$
		declare was jsonb := to_jsonb(old); is_now jsonb := to_jsonb(new); key text := tg_argv[0];
		begin
			-- the first request that names a tenant marks it as served, whoever sends it
			if tg_table_name = 'tenant' and was->'unserved' = 'true' and is_now = was || '{"unserved": false}' then
				return null;
			end if;
			insert into isolation_log (name, op, before, after, id)
				values (tg_table_name, tg_op, was->>key, is_now->>key, coalesce(is_now->>'id', was->>'id'));
			return null;
		end $$`);
	const { rows } = await client.query<{ name: string; key: string }>(`
		select table_name as name, 'tenantId' as key from information_schema.columns
			where table_schema = 'public' and column_name = 'tenantId'
		union select 'tenant', 'id'`);
	for (const { name, key } of rows) {
		await client.query(`create trigger isolation_note after insert or update or delete on "${name}"
			for each row execute function isolation_note('${key}')`);
	}
	let last = "0";
	let kept = 0;
	return {
		tables: rows.map(({ name }) => name),
		/** The changes since the last call. */
		changed: async (): Promise<ChangedRow[]> => {
			const found = await client.query<ChangedRow & { seq: string }>(
				'select seq, name as "table", op, before, after, id from isolation_log where seq > $1 order by seq',
				[last],
			);
			last = found.rows.at(-1)?.seq ?? last;
			kept += found.rows.length;
			if (kept > 20_000) {
				await client.query("truncate isolation_log");
				kept = 0;
			}
			return found.rows;
		},
		/** The tables with remaining rows of a tenant. */
		heldBy: async (tenantId: string): Promise<string[]> => {
			const held: string[] = [];
			for (const { name, key } of rows) {
				const { rowCount } = await client.query(`select 1 from "${name}" where "${key}" = $1 limit 1`, [tenantId]);
				if (rowCount) held.push(`a row in ${name}`);
			}
			return held;
		},
		/** Changes rows directly, without the trigger. */
		beside: async (sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
			(await client.query<Record<string, unknown>>(sql, values)).rows,
		close: () => client.end(),
	};
};
