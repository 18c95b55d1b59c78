import type { DatabaseKind, TestDatabase } from "test-kit/databases";
import { expect } from "vitest";

/** Every unique index of the composed plugins except primary keys. Those without a tenant are random, or ours. */
const UNIQUE = [
	"account(tenantid,providerid,accountid)",
	"devicecode(tenantid,devicecode)",
	"devicecode(tenantid,usercode)",
	"organization(tenantid,slug)",
	"ratelimit(key)",
	"session(token)",
	"teammember(tenantuniquemembershipkey)",
	"tenant(slug)",
	"tenantdomain(domain)",
	"tenantoauthconfig(tenantid,providerid)",
	"user(tenantid,email)",
	"user(tenantuniquephonenumber)",
	"user(tenantuniqueusername)",
];
/** Tables that belong to no tenant. */
const GLOBAL = ["ratelimit", "tenant"];

const COLUMNS: Record<DatabaseKind, string> = {
	postgres: `select table_name as t, column_name as c, is_nullable = 'NO' as required from information_schema.columns where table_schema = 'public'`,
	mysql: `select table_name as t, column_name as c, is_nullable = 'NO' as required from information_schema.columns where table_schema = database()`,
	sqlite: `select m.name as t, i.name as c, i."notnull" as required from sqlite_master m join pragma_table_info(m.name) i where m.type = 'table'`,
};
const INDEXES: Record<DatabaseKind, string> = {
	postgres: `select tablename as t, regexp_replace(indexdef, '.*\\((.*)\\)', '\\1') as c from pg_indexes where schemaname = 'public' and indexdef like 'CREATE UNIQUE%'`,
	mysql: `select table_name as t, group_concat(column_name order by seq_in_index) as c from information_schema.statistics where table_schema = database() and non_unique = 0 group by table_name, index_name`,
	sqlite: `select m.name as t, (select group_concat(name) from pragma_index_info(l.name)) as c from sqlite_master m join pragma_index_list(m.name) l where m.type = 'table' and l."unique" = 1`,
};

/** Asserts the tables of the composed plugins, however they were created and named. */
export const expectComposedTables = async ({ kind, query }: TestDatabase): Promise<void> => {
	const columns = (await query(COLUMNS[kind])).map(({ t, c, required }) => ({
		table: plain(t),
		column: plain(c),
		required: Boolean(Number(required)),
	}));
	const tables = [...new Set(columns.map(({ table }) => table))];
	expect(tables.length).toBeGreaterThanOrEqual(18);
	const scoped = columns.filter(({ column, required }) => column === "tenantid" && required).map(({ table }) => table);
	expect([...scoped, ...GLOBAL].sort()).toEqual(tables.sort());
	const unique = (await query(INDEXES[kind])).map(({ t, c }) => `${plain(t)}(${plain(c)})`);
	expect(unique.filter((index) => !index.endsWith("(id)")).sort()).toEqual(UNIQUE);
};

const plain = (name: unknown): string =>
	String(name)
		.toLowerCase()
		.replace(/[^a-z,]/g, "");
