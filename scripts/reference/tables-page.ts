import ts from "typescript";
import { docsOf } from "../public-docs.ts";
import { drawTables, TABLES_ALT } from "./draw-tables.ts";
import { code, type Page, prose, table } from "./markdown.ts";
import { type DocumentedPlugin, documentedPlugins } from "./plugins.ts";
import { packageFile, walk } from "./program.ts";

type Field = {
	type: unknown;
	required?: boolean;
	unique?: boolean;
	index?: boolean;
	defaultValue?: unknown;
	references?: { model: string; field: string; onDelete?: string };
};
type Table = { fields: Record<string, Field>; indexes?: { fields: readonly string[]; unique?: boolean }[] };
/** A table, with the plugin that adds its columns and indexes. */
type Part = { plugin: DocumentedPlugin; table: Table };

const INTRODUCTION =
	"Every table and column that `tenantAuth()`, and the plugins that you can add to it, add to Better Auth's schema, with types, indexes and meaning. Names are those of Better Auth's schema: your options can rename tables and columns.";

const FURTHER =
	"`withTenants` also adds `tenantId` to every table of the plugins that you pass, and the tenant to their unique fields. [Database](../database.md) describes this, the migration of an existing application, and the SQL for each database.";

const tablesOf = ({ plugin: { schema = {} } }: DocumentedPlugin): [string, Table][] =>
	Object.entries(schema as Record<string, Table>);

/** The tables of all plugins. Several plugins can add columns to a table. */
const schemaTables = (): Map<string, Part[]> => {
	const tables = new Map<string, Part[]>();
	for (const plugin of documentedPlugins())
		for (const [name, one] of tablesOf(plugin)) tables.set(name, [...(tables.get(name) ?? []), { plugin, table: one }]);
	return tables;
};

/** Tables of Better Auth that the plugin extends. The others are its own. */
const EXTENDED = new Set(["user", "account", "session", "verification"]);

export const tablesPage = (): Page => {
	const tables = [...schemaTables()];
	return {
		file: "tables.md",
		title: "Tables",
		introduction: INTRODUCTION,
		body: [
			FURTHER,
			`<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="../pictures/tables-dark.svg">\n  <img alt="${TABLES_ALT}" src="../pictures/tables-light.svg">\n</picture>`,
			...tables.flatMap(([name, parts]) => renderTable(name, parts)),
		],
	};
};

/** The picture of the page in one theme: the tables of every application. */
export const tablesPicture = (theme: "light" | "dark"): string => {
	const always = documentedPlugins().filter(({ isCompanion }) => !isCompanion);
	const shown = always.flatMap(tablesOf).map(([name, { fields }]) => ({
		name,
		isOwn: !EXTENDED.has(name),
		columns: [
			...(EXTENDED.has(name) ? [] : ["id"]),
			...Object.keys(fields).toSorted((one, other) => Number(other === "tenantId") - Number(one === "tenantId")),
		],
	}));
	return drawTables(theme, shown);
};

const renderTable = (name: string, parts: Part[]): string[] => [
	`## ${code(name)}`,
	introductionOf(name, parts),
	table(
		["Column", "Type", "Null", "Unique", "Default", "Meaning"],
		[
			...(EXTENDED.has(name)
				? []
				: [[code("id"), code("string"), "no", "yes", "set by Better Auth", "The primary key."]]),
			...parts.flatMap((part) => columnRows(name, part)),
		],
	),
	...renderIndexes(name, parts),
];

const introductionOf = (name: string, [first]: Part[]): string => {
	if (EXTENDED.has(name)) return "A table of Better Auth. The plugin adds or changes these columns.";
	return first?.plugin.isCompanion ? `A table of ${code(`${first.plugin.name}()`)}.` : "A table of the plugin.";
};

const columnRows = (name: string, { plugin, table: { fields } }: Part): string[][] =>
	Object.entries(fields).map(([column, field]) => [
		code(column),
		code(String(field.type)),
		// the tenant column is not null, although it is not `required`: see schema.ts
		field.required === false ? "yes" : "no",
		field.unique ? "yes" : "no",
		field.defaultValue === undefined
			? "none"
			: column === "tenantId"
				? "the request's tenant"
				: code(String(field.defaultValue)),
		`${prose(meaningOf(plugin, name, column))}${referenceOf(field)}${onlyWith(name, plugin)}`,
	]);

/** Whether a plugin adds to a table that is there without it. */
const isAddition = (name: string, { plugin, isCompanion }: DocumentedPlugin): boolean =>
	isCompanion && schemaTables().get(name)?.[0]?.plugin.plugin.id !== plugin.id;

const onlyWith = (name: string, plugin: DocumentedPlugin): string =>
	isAddition(name, plugin) ? ` Only with ${code(`${plugin.name}()`)}.` : "";

const referenceOf = ({ references }: Field): string =>
	references
		? ` References ${code(`${references.model}.${references.field}`)}${references.onDelete ? `, on delete ${references.onDelete}` : ""}.`
		: "";

const renderIndexes = (name: string, parts: Part[]): string[] => {
	const all = parts.flatMap(({ plugin, table: { fields, indexes = [] } }) =>
		[
			...indexes.map((index) => ({ columns: [...index.fields], isUnique: index.unique ?? false })),
			...Object.entries(fields)
				.filter(([, { index, unique }]) => index || unique)
				.map(([column, { unique = false }]) => ({ columns: [column], isUnique: unique })),
		].map((index) => ({ ...index, note: onlyWith(name, plugin) })),
	);
	if (all.length === 0) return [];
	return [
		"Indexes:",
		table(
			["Columns", "Unique"],
			all.map(({ columns, isUnique, note }) => [
				columns.map(code).join(", "),
				`${isUnique ? "yes" : "no"}${note ? `.${note}` : ""}`,
			]),
		),
	];
};

/** The sentence above a column in the plugin's schema file. Throws if there is none. */
const meaningOf = ({ schemaFile }: DocumentedPlugin, tableName: string, column: string): string => {
	let meaning = "";
	walk(packageFile(schemaFile), (node) => {
		if (!ts.isPropertyAssignment(node) || node.name.getText() !== column) return;
		const owner = node.parent.parent.parent.parent;
		if (ts.isPropertyAssignment(owner) && owner.name.getText() === tableName) meaning = docsOf(node).text;
	});
	// `withTenants` adds it to tables of plugins
	if (!meaning && column === "tenantId") return "The tenant of the row.";
	if (!meaning) throw new Error(`${tableName}.${column} has no JSDoc sentence in packages/tenants/${schemaFile}.`);
	return meaning;
};
