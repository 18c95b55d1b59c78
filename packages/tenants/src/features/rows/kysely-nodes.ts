import type { ListedTables } from "./listed-tables.ts";

/**
 * A node of Kysely's query tree. Kysely's own types are not imported, because applications without Kysely would need them to
 * compile.
 */
export type QueryNode = { readonly kind: string; readonly [part: string]: unknown };

/** What one query needs to know. */
export type Scope = {
	tables: ListedTables;
	/** Reads the tenant when the first table of a tenant is found. */
	tenantId: () => string;
	isFunction: (name: unknown) => boolean;
	/** What `with` named where this part of the query stands. */
	withNames: ReadonlySet<string>;
	walk: (part: unknown) => unknown;
};

export const isNode = (value: unknown): value is QueryNode =>
	typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string";

/** The nodes of a part that is a node, a list of nodes, or missing. */
export const nodesOf = (part: unknown): QueryNode[] => (Array.isArray(part) ? part : [part]).filter(isNode);

/** The name of an identifier, column or table, with the schema if the query names one. */
export const nameOf = (node: unknown): string | undefined => {
	if (!isNode(node)) return undefined;
	if (node.kind === "IdentifierNode") return typeof node.name === "string" ? node.name : undefined;
	if (node.kind === "SchemableIdentifierNode")
		return [node.schema, node.identifier].flatMap((part) => nameOf(part) ?? []).join(".");
	if (node.kind === "TableNode") return nameOf(node.table);
	return nameOf(node.column);
};

const identifier = (name: string): QueryNode => ({ kind: "IdentifierNode", name });

export const columnNode = (name: string): QueryNode => ({ kind: "ColumnNode", column: identifier(name) });

export const valueNode = (value: string): QueryNode => ({ kind: "ValueNode", value });

/** `table.column = value`. The table is a TableNode or the IdentifierNode of an alias. */
export const equals = (table: QueryNode, column: string, value: string): QueryNode => ({
	kind: "BinaryOperationNode",
	leftOperand: {
		kind: "ReferenceNode",
		column: columnNode(column),
		table:
			table.kind === "TableNode"
				? table
				: { kind: "TableNode", table: { kind: "SchemableIdentifierNode", identifier: table } },
	},
	operator: { kind: "OperatorNode", operator: "=" },
	rightOperand: valueNode(value),
});

/** Adds conditions to a WhereNode or OnNode, in parentheses so that an `or` stays inside. */
export const andAll = (kind: "WhereNode" | "OnNode", node: unknown, conditions: QueryNode[]): QueryNode | undefined => {
	const part = kind === "WhereNode" ? "where" : "on";
	const existing = isNode(node) && isNode(node[part]) ? [{ kind: "ParensNode", node: node[part] }] : [];
	const [first, ...rest] = [...existing, ...conditions];
	if (!first) return undefined;
	return { kind, [part]: rest.reduce<QueryNode>((left, right) => ({ kind: "AndNode", left, right }), first) };
};

/** Walks the parts of a node, except those that are done. */
export const walkParts = (scope: Scope, node: QueryNode, done: Record<string, unknown> = {}): QueryNode => {
	const rest = Object.entries(node).filter(([name]) => !(name in done));
	const walked = Object.fromEntries(rest.map(([name, part]) => [name, scope.walk(part)]));
	return { ...walked, ...done, kind: node.kind };
};
