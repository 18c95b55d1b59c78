import { afterAll, beforeAll, expect, it } from "vitest";
import { KEPT_DATES, SWEPT_TABLES, type SweptTable } from "../../src/schema/expiring-tables.ts";
import { STATEMENTS, sweep } from "../../src/sweep/sweep.ts";
import { makeWorld } from "../auth/world.ts";
import { EVERY_PLUGIN } from "../support/every-plugin.ts";

let world: Awaited<ReturnType<typeof makeWorld>>;
beforeAll(async () => {
	world = await makeWorld({ ...EVERY_PLUGIN, TENANT_POLICY: "true", TENANT_LIFECYCLE: "true" });
}, 60_000);
afterAll(() => world.close());

const TABLES = Object.keys(SWEPT_TABLES) as SweptTable[];

/** Inserts a row that expired `age` ago, with made-up values in all columns that need one. References are not checked. */
const insert = async (table: string, tenantId: string, age: string): Promise<void> => {
	const client = await world.pool.connect();
	try {
		const { rows: columns } = await client.query<{ name: string; type: string }>(
			`select column_name as name, data_type as type from information_schema.columns
			where table_name = $1 and is_nullable = 'NO' and column_name not in ('expiresAt', 'tenantId')`,
			[table],
		);
		const valueFor = (type: string): string => {
			if (type.startsWith("timestamp")) return "now()";
			if (type === "boolean") return "false";
			if (type === "text") return "gen_random_uuid()::text";
			return type === "jsonb" ? "'[]'" : "0";
		};
		await client.query("begin");
		await client.query("set local session_replication_role = replica");
		await client.query(
			`insert into "${table}" ("expiresAt", "tenantId", ${columns.map(({ name }) => `"${name}"`)})
			values (now() - $1::interval, $2, ${columns.map(({ type }) => valueFor(type))})`,
			[age, tenantId],
		);
		await client.query("commit");
	} finally {
		client.release();
	}
};
const countIn = async (table: string): Promise<number> =>
	(await world.pool.query(`select count(*)::int as rows from "${table}"`)).rows[0].rows;
/** The plan for a table that is too large to be read whole. */
const planOf = async (statement: string): Promise<string> => {
	const client = await world.pool.connect();
	try {
		await client.query("set enable_seqscan = off");
		return JSON.stringify((await client.query(`explain (format json) ${statement}`)).rows);
	} finally {
		client.release(true);
	}
};

// threat 157
it("knows for each date at which something expires whether its row is swept", async () => {
	const { tables } = await world.auth.$context;
	const dates = Object.entries(tables).flatMap(([table, { fields }]) =>
		Object.entries(fields)
			.filter(([field, { type }]) => type === "date" && /expire|until/i.test(field))
			.map(([field]) => `${table}.${field}`),
	);
	const known = [...TABLES.map((table) => `${table}.expiresAt`), ...Object.keys(KEPT_DATES)];
	expect(dates.sort()).toEqual(known.sort());
});

// threat 157
it.each(TABLES)("deletes expired rows of %s in all tenants, found by an index", async (table) => {
	const margin = SWEPT_TABLES[table];
	await insert(table, world.acme.id, `${margin} 1 minute`);
	await insert(table, world.globex.id, `${margin} 1 minute`);
	await insert(table, world.globex.id, "-1 hour");
	const swept: [string, number][] = [];
	expect(await sweep({ pool: world.pool, onSwept: (what, rows) => swept.push([what, rows]) })).toBe(true);
	expect(swept).toEqual([[table, 2]]);
	expect(await countIn(table)).toBe(1);
	expect(await planOf(STATEMENTS[table])).toContain(`${table}_expiresAt_idx`);
});
