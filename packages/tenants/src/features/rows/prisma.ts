import { rowError } from "./error-codes.ts";
import { type ListedTables, listTables, type TableOptions } from "./listed-tables.ts";
import { assertArgs, isValues, type Known, type Values } from "./prisma-args.ts";
import { readPrismaSchema } from "./prisma-schema.ts";

/** One call of a Prisma client, as an extension receives it. `model` is missing for raw SQL. */
export type PrismaOperation = {
	/** The name of the model, such as `Invoice`. */
	model?: string | undefined;
	/** The name of the method, such as `findMany`. */
	operation: string;
	/** What the application passed to the method. */
	args: unknown;
	/** Runs the operation. */
	query: (args: never) => Promise<unknown>;
};

/**
 * The models of an application.
 *
 * @example
 * ```ts
 * const models: PrismaRowsOptions = { own: ["Invoice", "Customer"], shared: ["Country"] };
 * ```
 */
export type PrismaRowsOptions = TableOptions & {
	/**
	 * The text of your Prisma schema. It says which relations contain the tenant column.
	 * @default the schema that is part of the generated client
	 */
	schema?: string;
};

/**
 * A Prisma client extension that limits every query to the current tenant: `where` gets a condition, and created rows get the
 * tenant. `own` and `shared` list models, such as `Invoice`. It adds no query.
 *
 * Rejects what it does not know: raw SQL, nested writes, unknown operations, arguments and fields, and relations that lead to a
 * model of `own`, unless `fields` and `references` of the relation contain the tenant column.
 *
 * @example
 * ```ts
 * const rows = tenantRowsForPrisma({ own: ["Invoice", "Customer"], shared: ["Country"] });
 * // then: new PrismaClient({ adapter }).$extends(rows)
 * ```
 */
export const tenantRowsForPrisma = ({ schema, ...options }: PrismaRowsOptions) => {
	const tables = listTables(options);
	return <Client extends object>(client: Client): Client => {
		const known: Known = { tables, models: readPrismaSchema(schema ?? schemaOf(client), tables.column) };
		const $allOperations = async ({ model, operation, args, query }: PrismaOperation): Promise<unknown> => {
			if (!model) throw rowError("ROW_QUERY_NOT_SUPPORTED", operation);
			// Prisma types the arguments by model and operation, which are not known here
			return query(scopeArgs(known, model, operation, isValues(args) ? args : {}) as never);
		};
		const extendable = client as Client & { $extends: (extension: object) => Client };
		return extendable.$extends({ name: "better-auth-tenants", query: { $allOperations } });
	};
};

/** Prisma 5 to 7 keep the schema in the client. Prisma has no public way to read it. */
const schemaOf = (client: object): string => {
	const config = "_engineConfig" in client ? client._engineConfig : undefined;
	return isValues(config) && typeof config.inlineSchema === "string" ? config.inlineSchema : "";
};

const READS = ["findUnique", "findUniqueOrThrow", "findFirst", "findFirstOrThrow", "findMany", "count", "aggregate"];
const WHERE = new Set([...READS, "groupBy", "delete", "deleteMany"]);
const UPDATES = new Set(["update", "updateMany", "updateManyAndReturn"]);
const CREATES = new Set(["create", "createMany", "createManyAndReturn"]);

const scopeArgs = (known: Known, model: string, operation: string, args: Values): Values => {
	const isKnown = WHERE.has(operation) || UPDATES.has(operation) || CREATES.has(operation) || operation === "upsert";
	if (!isKnown) throw rowError("ROW_QUERY_NOT_SUPPORTED", operation);
	const isOwn = known.tables.isOwn(model);
	assertArgs(known, model, args);
	return isOwn ? ownArgs(known.tables, operation, args) : args;
};

const ownArgs = (tables: ListedTables, operation: string, args: Values): Values => {
	if (CREATES.has(operation))
		return {
			...args,
			data: Array.isArray(args.data) ? args.data.map((row) => created(tables, row)) : created(tables, args.data),
		};
	const limited = { ...args, where: ownWhere(tables, args.where), ...ownCursor(tables, args.cursor) };
	if (UPDATES.has(operation)) return { ...limited, data: updated(tables, args.data) };
	if (operation !== "upsert") return limited;
	// if a row of another tenant has the key, the insert fails on it
	return { ...limited, create: created(tables, args.create), update: updated(tables, args.update) };
};

/** Keeps the fields at the top, where Prisma looks for a unique one. */
const ownWhere = (tables: ListedTables, where: unknown): Values => {
	const given = isValues(where) ? where : {};
	const { AND = [] } = given;
	return { ...given, AND: [...(Array.isArray(AND) ? AND : [AND]), { [tables.column]: tables.tenantId() }] };
};

/** Where the row of a cursor stands among the own rows would reveal its values. A key of several fields can name a tenant, too. */
const ownCursor = (tables: ListedTables, cursor: unknown): Values => {
	if (!isValues(cursor)) return {};
	const tenantId = tables.tenantId();
	const named = [cursor, ...Object.values(cursor)].flatMap((key) => (isValues(key) ? [key[tables.column]] : []));
	if (named.some((name) => name !== undefined && name !== tenantId)) throw rowError("ROW_OF_ANOTHER_TENANT", "cursor");
	return { cursor: { ...cursor, [tables.column]: tenantId } };
};

const created = (tables: ListedTables, data: unknown): Values => {
	const tenantId = tables.tenantId();
	const row = isValues(data) ? data : {};
	if (row[tables.column] !== undefined && row[tables.column] !== tenantId)
		throw rowError("ROW_OF_ANOTHER_TENANT", "create");
	return { ...row, [tables.column]: tenantId };
};

const updated = (tables: ListedTables, data: unknown): Values => {
	const row = isValues(data) ? data : {};
	if (row[tables.column] !== undefined) throw rowError("ROW_OF_ANOTHER_TENANT", "update");
	return row;
};
