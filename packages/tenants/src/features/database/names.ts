import { initGetModelName } from "@better-auth/core/db/adapter";
import { type EngineDatabase, has, isObject } from "./driver.ts";

/** The names of a table and its columns in the database. */
export type TableNames = {
	schema: string | null;
	table: string;
	column: (field: string) => string;
};

/**
 * Reads the names of a table. An ORM may use other names than the engine. Null if its schema does not contain the
 * table.
 */
export const readNames = (context: EngineDatabase, client: unknown, key: string): TableNames | null => {
	const { adapter, options, tables } = context;
	const fieldName = (field: string) => tables[key]?.fields[field]?.fieldName ?? field;
	const config: Record<string, unknown> = isObject(adapter.options) ? adapter.options : {};
	const model = initGetModelName({ schema: tables, usePlural: config.usePlural === true })(key);
	if (adapter.id === "drizzle") return drizzleNames(config, client, model, fieldName);
	if (adapter.id === "prisma") return prismaNames(client, model, fieldName);
	const schema = isObject(options.database) ? options.database.schemaName : null;
	return { schema: typeof schema === "string" ? schema : null, table: model, column: fieldName };
};

type FieldName = (field: string) => string;

const drizzleNames = (
	config: Record<string, unknown>,
	client: unknown,
	model: string,
	fieldName: FieldName,
): TableNames | null => {
	const internals = isObject(client) && isObject(client._) ? client._ : {};
	const schema = config.schema ?? internals.fullSchema;
	const table = isObject(schema) ? schema[model] : undefined;
	if (!isObject(table)) return null;
	// Drizzle's own symbols, which are the same in every copy of Drizzle
	const hidden = table as Record<symbol, unknown>;
	const schemaName = hidden[Symbol.for("drizzle:Schema")];
	const dialect = isObject(client) && isObject(client.dialect) ? client.dialect : {};
	return {
		schema: typeof schemaName === "string" ? schemaName : null,
		table: String(hidden[Symbol.for("drizzle:Name")]),
		column: (field) => {
			const column = table[fieldName(field)];
			if (!isObject(column)) return fieldName(field);
			return String(has(dialect.casing, "getColumnCasing") ? dialect.casing.getColumnCasing(column) : column.name);
		},
	};
};

type PrismaModel = { dbName?: string | null; fields: { name: string; dbName?: string | null }[] };

const prismaNames = (client: unknown, model: string, fieldName: FieldName): TableNames | null => {
	const dataModel = isObject(client) ? client._runtimeDataModel : undefined;
	const models = (isObject(dataModel) ? (dataModel.models ?? {}) : {}) as Record<string, PrismaModel>;
	// the model Account is prisma.account
	const found = Object.entries(models).find(([name]) => name.charAt(0).toLowerCase() + name.slice(1) === model);
	if (!found) return null;
	const [name, { dbName, fields }] = found;
	return {
		schema: null,
		table: dbName ?? name,
		column: (field) => fields.find((one) => one.name === fieldName(field))?.dbName ?? fieldName(field),
	};
};
