import type { Dialect, Driver, Row } from "./driver.ts";
import type { TableNames } from "./names.ts";

export type Index = {
	name: string;
	unique: boolean;
	/** columns only, without expressions */
	columns: string[];
	/** it covers only some rows or a part of a value, or is not valid yet */
	partial: boolean;
	/** rows collide in it even if a column is null (PostgreSQL: `nulls not distinct`) */
	nullsCollide: boolean;
	/** what to drop: the constraint that owns the index, the column's own `unique`, or the index itself */
	owner: "constraint" | "column" | "index";
};

type Column = {
	name: string;
	type: string;
	required: boolean;
	/** the database sets a value if a statement sets none: a default, or a generated column */
	filled: boolean;
	collation: string;
};

export type Layout = { columns: Column[]; indexes: Index[] };

/** Reads the columns and indexes of a table from the database. Null if there is no such table. */
export const readLayout = async ({ dialect, ask }: Driver, { schema, table }: TableNames): Promise<Layout | null> => {
	// the names are used inside SQL literals below
	if (![table, schema ?? ""].every((name) => /^[\w.-]*$/.test(name))) return null;
	const qualified = schema ? `"${schema}"."${table}"` : `"${table}"`;
	const statements = STATEMENTS[dialect](dialect === "postgres" ? qualified : table);
	const columns = (await ask(statements.columns)).map(lowerKeys);
	if (columns.length === 0) return null;
	const indexes = (await ask(statements.indexes)).map(lowerKeys);
	return {
		columns: columns.map((row) => ({
			name: String(row.name),
			type: String(row.type).toLowerCase(),
			required: isTrue(row.required),
			filled: isTrue(row.filled),
			collation: String(row.collation ?? ""),
		})),
		indexes: indexes.map((row) => ({
			name: String(row.name),
			unique: isTrue(row.uniq),
			columns: String(row.columns ?? "")
				.split(",")
				.filter(Boolean),
			partial: isTrue(row.partial),
			nullsCollide: isTrue(row.collide),
			owner: row.owner === "constraint" || row.owner === "column" ? row.owner : "index",
		})),
	};
};

const STATEMENTS: Record<Dialect, (table: string) => Record<"columns" | "indexes", string>> = {
	postgres: (table) => ({
		columns: `select attname::text as name, format_type(atttypid, atttypmod) as type, attnotnull as required, atthasdef or attidentity <> '' as filled from pg_attribute where attrelid = to_regclass('${table}') and attnum > 0 and not attisdropped`,
		indexes: `select c.relname::text as name, x.indisunique as uniq, (select string_agg(a.attname::text, ',' order by k.place) from unnest(x.indkey::int2[]) with ordinality as k(attnum, place) join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum where k.place <= x.indnkeyatts) as columns, (x.indpred is not null or not x.indisvalid or 0 = any(x.indkey::int2[])) as partial, pg_get_indexdef(x.indexrelid) like '%NULLS NOT DISTINCT%' as collide, case when exists (select from pg_constraint n where n.conindid = x.indexrelid and n.contype in ('p', 'u', 'x')) then 'constraint' else 'index' end as owner from pg_index x join pg_class c on c.oid = x.indexrelid where x.indrelid = to_regclass('${table}')`,
	}),
	mysql: (table) => ({
		columns: `select column_name as name, data_type as type, is_nullable = 'NO' as required, coalesce(column_default, 'NULL') <> 'NULL' or coalesce(generation_expression, '') <> '' as filled, case when collation_name is null then '' else concat(' character set ', character_set_name, ' collate ', collation_name) end as collation from information_schema.columns where table_schema = database() and table_name = '${table}'`,
		indexes: `select index_name as name, max(non_unique = 0) as uniq, group_concat(column_name order by seq_in_index) as columns, max(sub_part is not null or column_name is null) as partial, 0 as collide, 'index' as owner from information_schema.statistics where table_schema = database() and table_name = '${table}' group by index_name`,
	}),
	sqlite: (table) => ({
		columns: `select name, type, "notnull" or pk as required, dflt_value is not null as filled from pragma_table_info('${table}')`,
		indexes: `select l.name as name, l."unique" as uniq, group_concat(i.name) as columns, max(l.partial or i.name is null) as partial, 0 as collide, case l.origin when 'c' then 'index' else 'column' end as owner from pragma_index_list('${table}') l join pragma_index_info(l.name) i group by l.name, l."unique", l.origin`,
	}),
};

/** MySQL 8 returns upper-case column names from its information schema. */
const lowerKeys = (row: Row): Row =>
	Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));

const isTrue = (value: unknown): boolean => value === true || Number(value) === 1;
