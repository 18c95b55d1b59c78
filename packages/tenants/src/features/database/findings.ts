import type { DBTableIndex } from "@better-auth/core/db";
import { getDatabaseIndexName } from "@better-auth/core/db/internal";
import { DERIVED_PREFIX, type DerivedField, isGlobalTable, readTables } from "../../scope/data/tables.ts";
import type { Driver, EngineDatabase } from "./driver.ts";
import { type Index, type Layout, readLayout } from "./layout.ts";
import { readNames, type TableNames } from "./names.ts";
import { quoteIn } from "./quote.ts";

/** A reason why this database cannot isolate tenants yet. */
export type Finding = { names: TableNames } & (
	| { kind: "unmigrated"; what: string }
	| { kind: "nullable"; column: string }
	/** a missing column that foreign keys will reference; the engine adds the keys before the index they need */
	| { kind: "untargeted"; column: string; index: string }
	/** a column without a maximum length, which MySQL cannot have in a unique index */
	| { kind: "unbounded"; column: string; length: number; type: string; longest: number }
	| { kind: "unfilled"; column: string; from: string; tenant: string; derived: DerivedField }
	| { kind: "missing"; index: string; columns: string[]; unique: boolean }
	| { kind: "leftover"; index: Index }
);

type InspectWith = { context: EngineDatabase; driver: Driver; client: unknown };
type Table = EngineDatabase["tables"][string];
type Missing = Extract<Finding, { kind: "missing" }>;
type Known = { table: Table; names: TableNames; layout: Layout };

/** Compares every table with what the plugin needs. Reads the database's catalog and single rows, writes nothing. */
export const inspectDatabase = async ({ context, driver, client }: InspectWith): Promise<Finding[]> => {
	const findings: Finding[] = [];
	const scoped = readTables(context.tables);
	for (const [key, table] of Object.entries(context.tables)) {
		if (table.disableMigrations) continue;
		const names = readNames(context, client, key) ?? { schema: null, table: table.modelName, column: (field) => field };
		const layout = await readLayout(driver, names);
		if (!layout) {
			findings.push({ kind: "unmigrated", names, what: `there is no table ${names.table}` });
			continue;
		}
		const known = { table, names, layout };
		const derived = isGlobalTable(key) ? [] : scoped(key).derived;
		findings.push(
			...findColumns(known),
			...findUntargeted(known, derived),
			...(driver.dialect === "mysql" ? await findUnbounded(driver, known) : []),
		);
		// a table that is not migrated keeps its old indexes, because nothing would be unique until then
		if (findings.some((finding) => finding.kind === "unmigrated" && finding.names === names)) continue;
		findings.push(...(await findUnfilled(driver, names, derived)), ...findIndexes(known));
	}
	return findings;
};

const findColumns = ({ table, names, layout }: Known): Finding[] => {
	const fields = Object.keys(table.fields).filter((field) => field === "tenantId" || field.startsWith(DERIVED_PREFIX));
	return fields.flatMap((field): Finding[] => {
		const column = names.column(field);
		const found = layout.columns.find(({ name }) => name === column);
		if (!found) return [{ kind: "unmigrated", names, what: `${names.table} has no column ${column}` }];
		return field === "tenantId" && !found.required ? [{ kind: "nullable", names, column }] : [];
	});
};

const findUntargeted = (known: Known, fields: DerivedField[]): Finding[] =>
	fields
		.map(({ field, isReference }) => ({ field: DERIVED_PREFIX + field, isReference }))
		.filter(({ field, isReference }) => isReference && known.table.fields[field]?.unique)
		.map(({ field }) => describeIndex(known, { fields: [field], unique: true }))
		.flatMap(({ index, columns: [column = ""] }): Finding[] =>
			known.layout.columns.some(({ name }) => name === column)
				? []
				: [{ kind: "untargeted", names: known.names, column, index }],
		);

/** Finds text columns from before this plugin was installed. */
const findUnbounded = async ({ ask }: Driver, { table, names, layout }: Known): Promise<Finding[]> => {
	const quote = quoteIn("mysql");
	const indexes = table.indexes ?? [];
	const findings: Finding[] = [];
	for (const field of new Set(indexes.flatMap(({ fields }) => fields))) {
		const column = layout.columns.find(({ name }) => name === names.column(field));
		if (!column || !/text|blob/.test(column.type)) continue;
		const widest = Math.max(
			...indexes.filter(({ fields }) => fields.includes(field)).map(({ fields }) => fields.length),
		);
		// an index key has at most 3,072 bytes, a character at most 4, and the engine gives our own column 191 characters
		const length = Math.min(255, Math.floor((3_072 / 4 - 191) / Math.max(widest - 1, 1)));
		const [row] = await ask(`select max(char_length(${quote(column.name)})) as longest from ${quote(names)}`);
		const type = `varchar(${length})${column.collation}${column.required ? " not null" : ""}`;
		findings.push({ kind: "unbounded", names, column: column.name, length, type, longest: Number(row?.longest ?? 0) });
	}
	return findings;
};

/** Finds rows from before this plugin was installed: their derived columns are empty. */
const findUnfilled = async (
	{ dialect, ask }: Driver,
	names: TableNames,
	fields: DerivedField[],
): Promise<Finding[]> => {
	const quote = quoteIn(dialect);
	const findings: Finding[] = [];
	for (const derived of fields) {
		const column = names.column(DERIVED_PREFIX + derived.field);
		const from = names.column(derived.field);
		const rows = await ask(
			`select 1 as found from ${quote(names)} where ${quote(from)} is not null and ${quote(column)} is null limit 1`,
		);
		if (rows.length > 0)
			findings.push({ kind: "unfilled", names, column, from, tenant: names.column("tenantId"), derived });
	}
	return findings;
};

/** This plugin's unique indexes must exist, and no unique index may span all tenants. */
const findIndexes = (known: Known): Finding[] => {
	const { table, names, layout } = known;
	const wanted = [
		...(table.indexes ?? []).filter(({ unique }) => unique),
		...Object.entries(table.fields).flatMap(([field, { unique }]) =>
			unique ? [{ fields: [field] as const, unique }] : [],
		),
	].map((index) => describeIndex(known, index));
	const unique = layout.indexes.filter((index) => index.unique);
	const tenant = table.fields.tenantId && names.column("tenantId");
	const leftover = unique.filter(
		(index) =>
			tenant !== undefined &&
			!index.columns.includes(tenant) &&
			!covers(index, [names.column("id")]) &&
			!neverCollides(known, index) &&
			!wanted.some(({ columns }) => covers(index, columns)),
	);
	const plainIndexes = Object.entries(table.fields)
		.filter(([field, { index, unique }]) => index && !unique && needsPlainIndex(known, field, leftover))
		.map(([field]) => describeIndex(known, { fields: [field] }));
	return [
		...wanted.filter(({ columns }) => !unique.some((index) => !index.partial && covers(index, columns))),
		...plainIndexes,
		...leftover.map((index): Finding => ({ kind: "leftover", names, index })),
	];
};

/**
 * The index of another configuration, for example of a plugin that newer processes have: this configuration leaves one
 * of its columns null, and rows with null never collide. It says nothing about other tenants, and closing them would
 * stop older processes during an upgrade.
 */
const neverCollides = ({ table, names, layout }: Known, index: Index): boolean => {
	const own = new Set(["id", ...Object.keys(table.fields)].map(names.column));
	const isNull = (name: string): boolean =>
		layout.columns.some((column) => column.name === name && !column.required && !column.filled);
	return !index.nullsCollide && index.columns.some((name) => !own.has(name) && isNull(name));
};

/** Uses the same index name as the engine's migration. */
const describeIndex = ({ table, names }: Known, { name, fields, unique = false }: DBTableIndex): Missing => {
	const columns = fields.map((field) => table.fields[field]?.fieldName ?? field) as [string, ...string[]];
	return {
		kind: "missing",
		names,
		unique,
		index: getDatabaseIndexName(names.table, { ...(name ? { name } : {}), fields: columns, unique }),
		columns: fields.map(names.column),
	};
};

/**
 * The engine's migration adds no index to an existing column. A field would have none after its unique index is
 * dropped, and neither would the tenant column after an interrupted migration.
 */
const needsPlainIndex = ({ names, layout }: Known, field: string, leaving: Index[]): boolean => {
	const column = names.column(field);
	const stays = layout.indexes.some((index) => !leaving.includes(index) && index.columns[0] === column);
	return !stays && (field === "tenantId" || leaving.some((index) => covers(index, [column])));
};

const covers = (index: Pick<Index, "columns">, columns: string[]): boolean =>
	index.columns.length === columns.length && columns.every((column) => index.columns.includes(column));
