import { rowError } from "./error-codes.ts";
import { type ListedTables, listTables, type TableOptions } from "./listed-tables.ts";

type Values = Record<string, unknown>;

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
 * A Prisma client extension that limits every query to the current tenant: `where` gets a condition, and created rows get the
 * tenant. `own` and `shared` list models, such as `Invoice`. It adds no query.
 *
 * Rejects what it cannot limit: raw SQL, nested writes and unknown operations. `include` and filters on relations follow your
 * foreign keys, so make these contain the tenant column.
 *
 * @example
 * ```ts
 * const rows = tenantRowsForPrisma({ own: ["Invoice", "Customer"], shared: ["Country"] });
 * // then: new PrismaClient({ adapter }).$extends(rows)
 * ```
 */
export const tenantRowsForPrisma = (options: TableOptions) => {
	const tables = listTables(options);
	return {
		name: "better-auth-tenants",
		query: {
			$allOperations: async ({ model, operation, args, query }: PrismaOperation): Promise<unknown> => {
				if (!model) throw rowError("ROW_QUERY_NOT_SUPPORTED", operation);
				const scoped = tables.isOwn(model) ? scopeArgs(tables, operation, isValues(args) ? args : {}) : args;
				// Prisma types the arguments by model and operation, which are not known here
				return query(scoped as never);
			},
		},
	};
};

const isValues = (value: unknown): value is Values =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const READS = ["findUnique", "findUniqueOrThrow", "findFirst", "findFirstOrThrow", "findMany", "count", "aggregate"];
const WHERE = new Set([...READS, "groupBy", "delete", "deleteMany"]);
const UPDATES = new Set(["update", "updateMany", "updateManyAndReturn"]);
const CREATES = new Set(["create", "createMany", "createManyAndReturn"]);

const scopeArgs = (tables: ListedTables, operation: string, args: Values): Values => {
	if (WHERE.has(operation)) return { ...args, where: ownWhere(tables, args.where) };
	if (UPDATES.has(operation)) return { ...args, where: ownWhere(tables, args.where), data: updated(tables, args.data) };
	if (CREATES.has(operation))
		return {
			...args,
			data: Array.isArray(args.data) ? args.data.map((row) => created(tables, row)) : created(tables, args.data),
		};
	// if a row of another tenant has the key, the insert fails on it
	if (operation === "upsert")
		return {
			...args,
			where: ownWhere(tables, args.where),
			create: created(tables, args.create),
			update: updated(tables, args.update),
		};
	throw rowError("ROW_QUERY_NOT_SUPPORTED", operation);
};

/** Keeps the fields at the top, where Prisma looks for a unique one. */
const ownWhere = (tables: ListedTables, where: unknown): Values => {
	const given = isValues(where) ? where : {};
	const { AND = [] } = given;
	return { ...given, AND: [...(Array.isArray(AND) ? AND : [AND]), { [tables.column]: tables.tenantId() }] };
};

const created = (tables: ListedTables, data: unknown): Values => {
	const tenantId = tables.tenantId();
	const row = withoutNestedWrites(data);
	if (row[tables.column] !== undefined && row[tables.column] !== tenantId)
		throw rowError("ROW_OF_ANOTHER_TENANT", "create");
	return { ...row, [tables.column]: tenantId };
};

const updated = (tables: ListedTables, data: unknown): Values => {
	const row = withoutNestedWrites(data);
	if (row[tables.column] !== undefined) throw rowError("ROW_OF_ANOTHER_TENANT", "update");
	return row;
};

const NESTED = ["connect", "connectOrCreate", "create", "createMany", "delete", "deleteMany", "disconnect"];
const NESTED_WRITES = new Set([...NESTED, "set", "update", "updateMany", "upsert"]);

/** A nested write is not seen as an operation of its own. `set` of plain values is a list column. */
const withoutNestedWrites = (data: unknown): Values => {
	const row = isValues(data) ? data : {};
	for (const [field, value] of Object.entries(row))
		if (isNestedWrite(value)) throw rowError("ROW_QUERY_NOT_SUPPORTED", `nested write in ${field}`);
	return row;
};

const isNestedWrite = (value: unknown): boolean => {
	if (!isValues(value)) return false;
	const entries = Object.entries(value);
	const isRelation = ([key, operand]: [string, unknown]) =>
		NESTED_WRITES.has(key) && (key !== "set" || [operand].flat().some(isValues));
	return entries.some(isRelation);
};
