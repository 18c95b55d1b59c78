import { rowError } from "./error-codes.ts";
import { assertKnownNode } from "./kysely-node-kinds.ts";
import {
	andAll,
	columnNode,
	equals,
	isNode,
	nameOf,
	nodesOf,
	type QueryNode,
	type Scope,
	valueNode,
} from "./kysely-nodes.ts";

/** Sets the tenant of each inserted row, and keeps `on conflict` from changing rows of another tenant. */
export const scopeInsert = (scope: Scope, node: QueryNode): QueryNode => {
	const { into, values, columns } = node;
	const { tables, walk } = scope;
	assertKnownNode(node);
	if (!isNode(into)) throw rowError("ROW_QUERY_NOT_SUPPORTED", "insert without a table");
	const others = Object.entries(node).filter(([name]) => name !== "into" && name !== "values");
	const walked: QueryNode = {
		...Object.fromEntries(others.map(([name, part]) => [name, walk(part)])),
		into,
		kind: node.kind,
	};
	if (!tables.isOwn(nameOf(into) ?? "")) return { ...walked, values: walk(values) };
	const refused = refusedPart(node);
	if (refused || !isNode(values)) throw rowError("ROW_QUERY_NOT_SUPPORTED", refused ?? "insert without values");
	const tenantId = scope.tenantId();
	const named = nodesOf(columns);
	const at = named.findIndex((column) => tables.isColumn(nameOf(column)));
	if (named.slice(at + 1).some((column) => at >= 0 && tables.isColumn(nameOf(column))))
		throw rowError("ROW_OF_ANOTHER_TENANT", "insert");
	const { onConflict } = walked;
	return {
		...walked,
		columns: at < 0 ? [...named, columnNode(tables.column)] : named,
		values: { ...values, values: nodesOf(values.values).map((row) => setTenant(scope, row, at, tenantId)) },
		onConflict: isNode(onConflict) ? scopeConflict(scope, into, onConflict, tenantId) : onConflict,
	};
};

/** Replacing deletes the row of another tenant that has the same key, and MySQL's `on duplicate key` takes no condition. */
const refusedPart = ({ replace, onDuplicateKey, orAction, defaultValues, values }: QueryNode): string | undefined => {
	if (replace || (isNode(orAction) && String(orAction.action).toLowerCase() === "replace")) return "replace";
	if (onDuplicateKey) return "on duplicate key update";
	if (defaultValues) return "default values";
	return isNode(values) && values.kind !== "ValuesNode" ? "insert … select" : undefined;
};

/** A row is a list of plain values, or a list of nodes if one of them is an expression. */
const setTenant = ({ walk }: Scope, row: QueryNode, at: number, tenantId: string): QueryNode => {
	assertKnownNode(row);
	const values: unknown[] = Array.isArray(row.values) ? row.values : [];
	const isPlain = row.kind === "PrimitiveValueListNode";
	const own = isPlain ? tenantId : valueNode(tenantId);
	const given = values[at];
	const isLeftOut = given === undefined || (isNode(given) && given.kind === "DefaultInsertValueNode");
	const isSame = given === tenantId || (isNode(given) && given.kind === "ValueNode" && given.value === tenantId);
	if (!isLeftOut && !isSame) throw rowError("ROW_OF_ANOTHER_TENANT", "insert");
	const rest = isPlain ? values : values.map(walk);
	return { ...row, values: at < 0 ? [...rest, own] : rest.with(at, own) };
};

const scopeConflict = ({ tables }: Scope, into: QueryNode, node: QueryNode, tenantId: string): QueryNode => {
	if (nodesOf(node.updates).some((update) => tables.isColumn(nameOf(update.column))))
		throw rowError("ROW_OF_ANOTHER_TENANT", "on conflict");
	if (!node.updates) return node;
	const own = equals(into, tables.column, tenantId);
	return { ...node, updateWhere: andAll("WhereNode", node.updateWhere, [own]) };
};
