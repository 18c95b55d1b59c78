import type { CompiledQuery, OperationNode, QueryResult, RootOperationNode } from "kysely";
import type { Effect } from "./ticket.ts";

type Written = Omit<Effect, "at">;

/** What a statement wrote, by its syntax tree. Null if it read, or no row matched. */
export const effectOf = ({ query }: CompiledQuery, result: QueryResult<unknown>): Written | null => {
	const count = Math.max(Number(result.numAffectedRows ?? 0), result.rows.length);
	return count > 0 ? writeIn(query) : null;
};

/** Whether a statement reads rows of a table. */
export const isReadOf = ({ query }: CompiledQuery, table: string): boolean =>
	query.kind === "SelectQueryNode" && (query.from?.froms ?? []).some((from) => nameOf(from) === table);

const writeIn = (query: RootOperationNode): Written | null => {
	switch (query.kind) {
		case "InsertQueryNode": {
			const columns = (query.columns ?? []).map(({ column }) => column.name);
			return {
				kind: "insert",
				table: nameOf(query.into),
				columns,
				id: valueAt(query.values, columns.indexOf("id")),
			};
		}
		case "UpdateQueryNode":
			return {
				kind: "update",
				table: nameOf(query.table),
				columns: (query.updates ?? []).map(({ column }) => nameOf(column)),
				id: null,
			};
		case "DeleteQueryNode":
			return { kind: "delete", table: nameOf(query.from.froms[0]), columns: [], id: null };
		default:
			return null;
	}
};

/** The last name in a node: of a table, an alias of a table, or a column. */
const nameOf = (node: OperationNode | undefined): string => {
	let name = "";
	const visit = (value: unknown): void => {
		if (typeof value !== "object" || value === null || name) return;
		if ("kind" in value && value.kind === "IdentifierNode" && "name" in value) name = String(value.name);
		else for (const [key, inner] of Object.entries(value)) if (key !== "schema") visit(inner);
	};
	visit(node);
	return name;
};

const valueAt = (node: OperationNode | undefined, index: number): string | null => {
	if (index < 0 || !node || !("values" in node) || !Array.isArray(node.values)) return null;
	const [row] = node.values as { values?: unknown[] }[];
	const value = row?.values?.[index];
	const plain = typeof value === "object" && value !== null && "value" in value ? value.value : value;
	return typeof plain === "string" ? plain : null;
};
