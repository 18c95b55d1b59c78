import { rowError } from "./error-codes.ts";
import { assertKnownNode } from "./kysely-node-kinds.ts";
import { andAll, equals, isNode, nameOf, nodesOf, type QueryNode, type Scope, walkParts } from "./kysely-nodes.ts";

/** Adds the tenant of each table: those of `from` to `where`, joined ones to `on`, so that a left join stays one. */
export const scopeConditions = (scope: Scope, node: QueryNode): QueryNode => {
	assertKnownNode(node);
	const changed = node.kind === "UpdateQueryNode" ? changedTables(scope, node) : [];
	const sources = [node.from, node.using].flatMap((part) => (isNode(part) ? nodesOf(part.froms ?? part.tables) : []));
	const conditions = [...changed, ...sources].flatMap((table) => conditionOf(scope, table));
	const joins = nodesOf(node.joins).map((join) => {
		assertKnownNode(join);
		const type = String(join.joinType);
		if (!JOINS.has(type) && !CROSS_JOINS.has(type)) throw rowError("ROW_QUERY_NOT_SUPPORTED", type);
		const condition = conditionOf(scope, join.table);
		// a cross join has no `on`
		if (CROSS_JOINS.has(type)) conditions.push(...condition);
		const on = andAll("OnNode", scope.walk(join.on), JOINS.has(type) ? condition : []);
		return { ...join, table: walkTable(scope, join.table), on };
	});
	return walkParts(scope, node, {
		...("table" in node && { table: walkChanged(scope, node.table) }),
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
const conditionOf = ({ tables, withNames, tenantId }: Scope, source: unknown): QueryNode[] => {
	if (!isNode(source)) return [];
	const table = source.kind === "AliasNode" ? source.node : source;
	if (!isNode(table) || table.kind !== "TableNode") return [];
	if (!tables.isOwn(nameOf(table) ?? "", withNames)) return [];
	const name = source.kind === "AliasNode" && isNode(source.alias) ? source.alias : table;
	return [equals(name, tables.column, tenantId())];
};

/** What may stand in `from`: a table, or a subquery with an alias. Raw SQL could name any table. */
const walkTable = (scope: Scope, source: unknown): unknown => {
	if (!isNode(source) || source.kind === "TableNode") return source;
	assertKnownNode(source);
	if (source.kind === "RawNode") throw rowError("ROW_QUERY_NOT_SUPPORTED", "raw SQL in from");
	if (source.kind !== "AliasNode") return scope.walk(source);
	if (isNode(source.node) && source.node.kind === "AliasNode") throw rowError("ROW_QUERY_NOT_SUPPORTED", "two aliases");
	return { ...source, node: walkTable(scope, source.node) };
};

/** MySQL updates several tables at once. */
const walkChanged = (scope: Scope, table: unknown): unknown =>
	isNode(table) && table.kind === "ListNode"
		? { ...table, items: nodesOf(table.items).map((item) => walkTable(scope, item)) }
		: walkTable(scope, table);
