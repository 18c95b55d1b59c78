import { rowError } from "./error-codes.ts";
import { scopeConditions } from "./kysely-conditions.ts";
import { scopeInsert } from "./kysely-insert.ts";
import { assertKnownNode } from "./kysely-node-kinds.ts";
import { isNode, nameOf, nodesOf, type QueryNode, type Scope, walkParts } from "./kysely-nodes.ts";
import { assertExpression, walkRaw } from "./kysely-raw.ts";
import { listTables, type TableOptions } from "./listed-tables.ts";
import { functionCheck } from "./sql-words.ts";

type KyselyRowsPlugin = {
	transformQuery<Node extends { readonly kind: string }>(args: { readonly node: Node; readonly queryId: object }): Node;
	transformResult<Result>(args: { readonly result: Result; readonly queryId: object }): Promise<Result>;
};

/**
 * The tables of an application, and the functions of its database.
 *
 * @example
 * ```ts
 * const tables: KyselyRowsOptions = { own: ["invoice"], functions: ["similarity"] };
 * ```
 */
export type KyselyRowsOptions = TableOptions & {
	/**
	 * SQL functions that queries may call, in addition to those of PostgreSQL, MySQL and SQLite that read only their arguments. A
	 * function that reads tables shows the rows of all tenants.
	 * @default []
	 */
	functions?: readonly string[];
};

/**
 * A Kysely plugin that limits every query to the current tenant: selects, joins, subqueries, updates and deletes get a
 * condition, and inserts get the tenant. Mount it before other plugins. It adds no query.
 *
 * Rejects every query with a part that it does not know: whole queries and subqueries in raw SQL, unknown functions, `merge`,
 * `replace`, `insert … select`, right and full joins, changes of tables. A compiled query returns nothing in another tenant. Use
 * `db.withoutPlugins()` for code that must see all tenants.
 *
 * @example
 * ```ts
 * const rows = tenantRowsForKysely({ own: ["invoice", "customer"], shared: ["country"] });
 * // then: new Kysely({ dialect, plugins: [rows] })
 * ```
 */
export const tenantRowsForKysely = ({ functions = [], ...options }: KyselyRowsOptions): KyselyRowsPlugin => {
	const tables = listTables(options);
	const isFunction = functionCheck(functions);
	const ran = ranTenants();
	const scopeRoot = (root: QueryNode, queryId: object): QueryNode => {
		if (!QUERIES.has(root.kind)) throw rowError("ROW_QUERY_NOT_SUPPORTED", root.kind);
		const tenantId = () => ran.add(queryId, tables.tenantId());
		return scopeQuery(scopeWith({ tables, tenantId, isFunction }, new Set()), root);
	};
	return {
		// the tree has the same type after conditions were added
		transformQuery: ({ node, queryId }) => scopeRoot(node as QueryNode & typeof node, queryId) as typeof node,
		transformResult: async ({ result, queryId }) => {
			// a compiled query keeps the tenant that it was compiled in
			if (ran.isBound(queryId) && !ran.has(queryId, tables.tenantId())) throw rowError("ROW_QUERY_OF_ANOTHER_TENANT");
			return result;
		},
	};
};

const QUERIES = new Set(["SelectQueryNode", "InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"]);

const scopeWith = (rest: Omit<Scope, "walk" | "withNames">, withNames: ReadonlySet<string>): Scope => {
	const scope: Scope = { ...rest, withNames, walk: (part) => walk(scope, part) };
	return scope;
};

const scopeQuery = (outer: Scope, node: QueryNode): QueryNode => {
	const { scope, named } = scopeNames(outer, node.with);
	const rest = { ...node, with: undefined };
	const limited = node.kind === "InsertQueryNode" ? scopeInsert(scope, rest) : scopeConditions(scope, rest);
	return { ...limited, with: named };
};

/** Contain values of the application, or names of tables that stand in `from` as well. */
const LEAVES = new Set(["ValueNode", "PrimitiveValueListNode", "CommonTableExpressionNameNode", "SelectModifierNode"]);

const walk = (scope: Scope, part: unknown): unknown => {
	if (Array.isArray(part)) return part.map(scope.walk);
	if (!isNode(part)) return part;
	if (QUERIES.has(part.kind)) return scopeQuery(scope, part);
	assertKnownNode(part);
	if (LEAVES.has(part.kind)) return part;
	if (part.kind === "RawNode") {
		assertExpression(part, scope.isFunction);
		return walkRaw(part, scope.walk);
	}
	if ("func" in part && !scope.isFunction(part.func))
		throw rowError("ROW_QUERY_NOT_SUPPORTED", `${part.func}() (name it in functions if it reads no table)`);
	// a table outside of `from` and joins would get no condition
	if (part.kind === "TableNode") throw rowError("ROW_QUERY_NOT_SUPPORTED", "TableNode");
	// the table of a reference only says which of the tables in `from` is meant
	return walkParts(scope, part, isNode(part.table) && part.kind === "ReferenceNode" ? { table: part.table } : {});
};

/**
 * Scopes what `with` names. A name stands for its subquery in those behind it and in the query, and for a table everywhere else,
 * also in its own subquery.
 */
const scopeNames = (outer: Scope, node: unknown): { scope: Scope; named?: QueryNode } => {
	if (!isNode(node)) return { scope: outer };
	assertKnownNode(node);
	const parts = nodesOf(node.expressions);
	const names = new Set([...outer.withNames, ...(node.recursive ? parts.map(nameOfWith) : [])]);
	const expressions = parts.map((part) => {
		const walked = scopeWith(outer, new Set(names)).walk(part);
		names.add(nameOfWith(part));
		return walked;
	});
	return { scope: scopeWith(outer, names), named: { ...node, expressions } };
};

const nameOfWith = ({ name }: QueryNode): string => (isNode(name) && nameOf(name.table)) || "";

/** A query that is built once and runs for more tenants than this forgets the oldest, which a compiled query then is refused for. */
const MOST = 10_000;

/** The tenants that queries were limited to, by the id that Kysely gives to a query and to its result. */
const ranTenants = () => {
	const byQuery = new WeakMap<object, Set<string>>();
	return {
		isBound: (queryId: object): boolean => byQuery.has(queryId),
		has: (queryId: object, tenantId: string): boolean => byQuery.get(queryId)?.has(tenantId) ?? false,
		/** Returns the tenant. */
		add: (queryId: object, tenantId: string): string => {
			const tenants = byQuery.get(queryId) ?? new Set();
			byQuery.set(queryId, tenants);
			tenants.delete(tenantId);
			tenants.add(tenantId);
			const [oldest] = tenants;
			if (tenants.size > MOST && oldest !== undefined) tenants.delete(oldest);
			return tenantId;
		},
	};
};
