import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { tenantRowsForKysely } from "../../src/rows.ts";

type Node = { kind: string; [part: string]: unknown };

const rows = tenantRowsForKysely({ own: ["invoice"], shared: ["country"] });
const scoped = (node: Node): Promise<Node> =>
	runWithTenant("a", async () => rows.transformQuery({ node, queryId: {} }));
const refused = (message: string) =>
	expect.objectContaining({
		message: expect.stringContaining(message),
		body: expect.objectContaining({ code: "ROW_QUERY_NOT_SUPPORTED" }),
	});

const identifier = (name: string): Node => ({ kind: "IdentifierNode", name });
const table = (name: string): Node => ({
	kind: "TableNode",
	table: { kind: "SchemableIdentifierNode", identifier: identifier(name) },
});
const raw = (text: string): Node => ({ kind: "RawNode", sqlFragments: [text], parameters: [] });
const alias = (node: Node, name: Node): Node => ({ kind: "AliasNode", node, alias: name });
const from = (...froms: Node[]): Node => ({ kind: "SelectQueryNode", from: { kind: "FromNode", froms } });
const join = (more: object = {}): Node => ({
	...from(table("country")),
	joins: [{ kind: "JoinNode", joinType: "InnerJoin", table: table("invoice"), ...more }],
});
const insert = (values: Node, more: object = {}): Node => ({
	kind: "InsertQueryNode",
	into: table("invoice"),
	columns: [{ kind: "ColumnNode", column: identifier("id") }],
	values: { kind: "ValuesNode", values: [values] },
	...more,
});
const row: Node = { kind: "PrimitiveValueListNode", values: ["n1"] };
const named = (more: object = {}): Node => ({
	...from(table("invoice")),
	with: { kind: "WithNode", expressions: [], ...more },
});

describe("a query tree", () => {
	// threat 167
	it("has no raw SQL in from, neither a quoted name nor in an alias", async () => {
		const subquery = from(table("invoice"));
		await expect(scoped(from(alias(subquery, identifier("x"))))).resolves.toBeDefined();
		await expect(scoped(from(alias(raw('"secret"'), identifier("x"))))).rejects.toEqual(refused("raw SQL in from"));
		await expect(scoped(from(alias(subquery, raw("x, secret"))))).rejects.toEqual(refused("AliasNode.alias"));
	});

	// threat 167
	it("has no table behind two aliases, whose condition would name neither", async () => {
		const once = alias(table("invoice"), identifier("x"));
		await expect(scoped(from(once))).resolves.toHaveProperty("where");
		await expect(scoped(from(alias(once, identifier("y"))))).rejects.toEqual(refused("two aliases"));
	});

	// threat 167
	it.each([
		["a join", join, "JoinNode.future"],
		["with", named, "WithNode.future"],
		["an insert", (more: object) => insert(row, more), "InsertQueryNode.future"],
	])("has no part of %s that is not known", async (_name, build, part) => {
		await expect(scoped(build({}))).resolves.toBeDefined();
		await expect(scoped(build({ future: raw("secret") }))).rejects.toEqual(refused(part));
	});

	// threat 169
	it("inserts rows of known kinds, and into a table", async () => {
		const unknown: Node = { kind: "FutureNode", values: ["n1"] };
		await expect(scoped(insert(unknown))).rejects.toEqual(refused("FutureNode"));
		await expect(scoped(insert(row, { into: undefined }))).rejects.toEqual(refused("insert without a table"));
	});
});
