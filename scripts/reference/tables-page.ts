import ts from "typescript";
import { tenantAuth } from "../../packages/tenants/src/index.ts";
import { docsOf } from "../public-docs.ts";
import { drawTables, TABLES_ALT } from "./draw-tables.ts";
import { code, type Page, prose, table } from "./markdown.ts";
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

const INTRODUCTION =
	"Every table and column that the plugin adds to Better Auth's schema, with types, indexes and meaning. Names are those of Better Auth's schema: your options can rename tables and columns.";

const FURTHER =
	"`withTenants` also adds `tenantId` to every table of the plugins that you pass, and the tenant to their unique fields. [Database](../database.md) describes this, the migration of an existing application, and the SQL for each database.";

const schemaTables = (): Record<string, Table> => tenantAuth().schema as Record<string, Table>;

/** Tables of Better Auth that the plugin extends. The others are its own. */
const EXTENDED = new Set(["user", "account", "session", "verification"]);

export const tablesPage = (): Page => {
	const tables = Object.entries(schemaTables());
	return {
		file: "tables.md",
		title: "Tables",
		introduction: INTRODUCTION,
		body: [
			FURTHER,
			`<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="../pictures/tables-dark.svg">\n  <img alt="${TABLES_ALT}" src="../pictures/tables-light.svg">\n</picture>`,
			...tables.flatMap(([name, one]) => renderTable(name, one)),
		],
	};
};

/** The picture of the page in one theme. */
export const tablesPicture = (theme: "light" | "dark"): string => {
	const shown = Object.entries(schemaTables()).map(([name, { fields }]) => ({
		name,
		isOwn: !EXTENDED.has(name),
		columns: [
			...(EXTENDED.has(name) ? [] : ["id"]),
			...Object.keys(fields).toSorted((one, other) => Number(other === "tenantId") - Number(one === "tenantId")),
		],
	}));
	return drawTables(theme, shown);
};

const renderTable = (name: string, { fields, indexes = [] }: Table): string[] => [
	`## ${code(name)}`,
	EXTENDED.has(name) ? "A table of Better Auth. The plugin adds or changes these columns." : "A table of the plugin.",
	table(
		["Column", "Type", "Null", "Unique", "Default", "Meaning"],
		[
			...(EXTENDED.has(name)
				? []
				: [[code("id"), code("string"), "no", "yes", "set by Better Auth", "The primary key."]]),
			...Object.entries(fields).map(([column, field]) => [
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
				`${prose(meaningOf(name, column))}${referenceOf(field)}`,
			]),
		],
	),
	...renderIndexes(fields, indexes),
];

const referenceOf = ({ references }: Field): string =>
	references
		? ` References ${code(`${references.model}.${references.field}`)}${references.onDelete ? `, on delete ${references.onDelete}` : ""}.`
		: "";

const renderIndexes = (fields: Table["fields"], indexes: NonNullable<Table["indexes"]>): string[] => {
	const all = [
		...indexes.map((index) => ({ columns: [...index.fields], isUnique: index.unique ?? false })),
		...Object.entries(fields)
			.filter(([, { index, unique }]) => index || unique)
			.map(([column, { unique = false }]) => ({ columns: [column], isUnique: unique })),
	];
	if (all.length === 0) return [];
	return [
		"Indexes:",
		table(
			["Columns", "Unique"],
			all.map(({ columns, isUnique }) => [columns.map(code).join(", "), isUnique ? "yes" : "no"]),
		),
	];
};

/** The sentence above a column in schema.ts. Throws if there is none. */
const meaningOf = (tableName: string, column: string): string => {
	let meaning = "";
	walk(packageFile("src/schema.ts"), (node) => {
		if (!ts.isPropertyAssignment(node) || node.name.getText() !== column) return;
		const owner = node.parent.parent.parent.parent;
		if (ts.isPropertyAssignment(owner) && owner.name.getText() === tableName) meaning = docsOf(node).text;
	});
	if (!meaning) throw new Error(`${tableName}.${column} has no JSDoc sentence in packages/tenants/src/schema.ts.`);
	return meaning;
};
