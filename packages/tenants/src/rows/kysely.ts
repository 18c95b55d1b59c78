import { rowError } from "./error-codes.ts";
import { scopeInsert } from "./kysely-insert.ts";
import { andAll, equals, isNode, nameOf, nodesOf, type QueryNode, type Scope } from "./kysely-nodes.ts";
import { hasStatement } from "./kysely-raw.ts";
import { type ListedTables, listTables, type TableOptions } from "./listed-tables.ts";

type KyselyRowsPlugin = {
	transformQuery<Node extends { readonly kind: string }>(args: { readonly node: Node }): Node;
	transformResult<Result>(args: { readonly result: Result }): Promise<Result>;
};

/**
 * A Kysely plugin that limits every query to the current tenant: selects, joins, subqueries, updates and deletes get a
 * condition, and inserts get the tenant. Mount it before other plugins. It adds no query.
 *
 * Rejects what it cannot limit: whole queries in raw SQL, subqueries in raw SQL, `merge`, `replace`, `insert … select`, right
 * and full joins. Use `db.withoutPlugins()` for code that must see all tenants.
 *
 * @example
 * ```ts
 * const rows = tenantRowsForKysely({ own: ["invoice", "customer"], shared: ["country"] });
 * // then: new Kysely({ dialect, plugins: [rows] })
 * ```
 */
export const tenantRowsForKysely = (options: TableOptions): KyselyRowsPlugin => {
	const tables = listTables(options);
	return {
		// the tree has the same type after conditions were added
		transformQuery: ({ node }) => scopeRoot(tables, node as QueryNode & typeof node) as typeof node,
		transformResult: async ({ result }) => result,
	};
};

const QUERIES = new Set(["SelectQueryNode", "InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"]);

const scopeRoot = (tables: ListedTables, root: QueryNode): QueryNode => {
	if (root.kind === "RawNode" || root.kind === "MergeQueryNode") throw rowError("ROW_QUERY_NOT_SUPPORTED", root.kind);
	// the rest creates and changes tables
	if (!QUERIES.has(root.kind)) return root;
	const scope: Scope = { tables, withNames: withNamesIn(root), walk: (part) => walk(scope, part) };
	return scopeQuery(scope, root);
};

const scopeQuery = (scope: Scope, node: QueryNode): QueryNode =>
	node.kind === "InsertQueryNode" ? scopeInsert(scope, node) : scopeConditions(scope, node);

/** Contain values of the application, or names of tables that stand in `from` as well. */
const LEAVES = new Set(["ValueNode", "PrimitiveValueListNode", "ReferenceNode", "CommonTableExpressionNameNode"]);

const walk = (scope: Scope, part: unknown): unknown => {
	if (Array.isArray(part)) return part.map(scope.walk);
	if (!isNode(part) || LEAVES.has(part.kind)) return part;
	if (QUERIES.has(part.kind)) return scopeQuery(scope, part);
	// a table outside of `from` and joins would get no condition
	if ((part.kind === "RawNode" && hasStatement(part)) || part.kind === "MergeQueryNode" || part.kind === "TableNode")
		throw rowError("ROW_QUERY_NOT_SUPPORTED", part.kind);
	return walkParts(scope, part);
};

const walkParts = (scope: Scope, node: QueryNode, done: Record<string, unknown> = {}): QueryNode => {
	const rest = Object.entries(node).filter(([name]) => !(name in done));
	const walked = Object.fromEntries(rest.map(([name, part]) => [name, scope.walk(part)]));
	return { ...walked, ...done, kind: node.kind };
};

/** Adds the tenant of each table: those of `from` to `where`, joined ones to `on`, so that a left join stays one. */
const scopeConditions = (scope: Scope, node: QueryNode): QueryNode => {
	const changed = node.kind === "UpdateQueryNode" ? changedTables(scope, node) : [];
	const sources = [node.from, node.using].flatMap((part) => (isNode(part) ? nodesOf(part.froms ?? part.tables) : []));
	const conditions = [...changed, ...sources].flatMap((table) => conditionOf(scope, table));
	const joins = nodesOf(node.joins).map((join) => {
		const type = String(join.joinType);
		if (!JOINS.has(type) && !CROSS_JOINS.has(type)) throw rowError("ROW_QUERY_NOT_SUPPORTED", type);
		const condition = conditionOf(scope, join.table);
		// a cross join has no `on`
		if (CROSS_JOINS.has(type)) conditions.push(...condition);
		const on = andAll("OnNode", scope.walk(join.on), JOINS.has(type) ? condition : []);
		return { ...join, table: walkTable(scope, join.table), on };
	});
	return walkParts(scope, node, {
		...("table" in node && { table: walkTable(scope, node.table) }),
		...(isNode(node.from) && {
			from: { ...node.from, froms: nodesOf(node.from.froms).map((t) => walkTable(scope, t)) },
		}),
		...(isNode(node.using) && {
			using: { ...node.using, tables: nodesOf(node.using.tables).map((table) => walkTable(scope, table)) },
		}),
		...("joins" in node && { joins: node.joins && joins }),
		where: andAll("WhereNode", scope.walk(node.where), conditions),
	});
};

const JOINS = new Set(["InnerJoin", "LeftJoin", "LateralInnerJoin", "LateralLeftJoin"]);
const CROSS_JOINS = new Set(["CrossJoin", "LateralCrossJoin"]);

/** The tables of an update, which must not move rows to another tenant. */
const changedTables = ({ tables }: Scope, { table, updates }: QueryNode): QueryNode[] => {
	if (nodesOf(updates).some((update) => tables.isColumn(nameOf(update.column))))
		throw rowError("ROW_OF_ANOTHER_TENANT", "update");
	return isNode(table) && table.kind === "ListNode" ? nodesOf(table.items) : nodesOf(table);
};

/** The condition for a table or its alias. A subquery gets its own conditions. */
const conditionOf = ({ tables, withNames }: Scope, source: unknown): QueryNode[] => {
	if (!isNode(source)) return [];
	const table = source.kind === "AliasNode" ? source.node : source;
	if (!isNode(table) || table.kind !== "TableNode") return [];
	if (!tables.isOwn(nameOf(table) ?? "", withNames)) return [];
	const name = source.kind === "AliasNode" && isNode(source.alias) ? source.alias : table;
	return [equals(name, tables.column, tables.tenantId())];
};

/** What may stand in `from`: a table, or a subquery with an alias. Raw SQL could name any table. */
const walkTable = (scope: Scope, source: unknown): unknown => {
	if (!isNode(source) || source.kind === "TableNode") return source;
	if (source.kind === "ListNode")
		return { ...source, items: nodesOf(source.items).map((item) => walkTable(scope, item)) };
	if (source.kind === "AliasNode") return { ...source, node: walkTable(scope, source.node) };
	if (source.kind === "RawNode") throw rowError("ROW_QUERY_NOT_SUPPORTED", "raw SQL in from");
	return scope.walk(source);
};

/** The names that `with` gives to subqueries. A table of a tenant with the same name still gets its condition. */
const withNamesIn = (part: unknown, found = new Set<string>()): ReadonlySet<string> => {
	if (Array.isArray(part)) for (const item of part) withNamesIn(item, found);
	else if (isNode(part) && part.kind !== "ValueNode" && part.kind !== "PrimitiveValueListNode") {
		if (part.kind === "CommonTableExpressionNameNode") found.add(nameOf(part.table) ?? "");
		for (const child of Object.values(part)) withNamesIn(child, found);
	}
	return found;
};
