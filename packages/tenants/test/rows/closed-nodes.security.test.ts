import { describe, expect, it } from "vitest";
import { assertKnownNode } from "../../src/features/rows/kysely-node-kinds.ts";
import { assertExpression } from "../../src/features/rows/kysely-raw.ts";
import { listTables } from "../../src/features/rows/listed-tables.ts";

const raw = (sqlFragments: string[], ...parameters: { kind: string }[]) => ({
	kind: "RawNode",
	sqlFragments,
	parameters,
});
const query = { kind: "SelectQueryNode" };
const check = (node: ReturnType<typeof raw>) => () => assertExpression(node, (name) => name === "json_object");

describe("raw SQL", () => {
	// threat 167
	it("is no JSON helper because of a character that stands for operands", () => {
		expect(check(raw(["(select to_json(obj) from ", " as obj)"], query))).not.toThrow();
		expect(check(raw(["(select to_json(obj) from \0 as obj)"], query))).toThrow("zero character");
	});

	// threat 167
	it("names no table among the arguments of a JSON helper", () => {
		const helper = (text: string) => raw(["(select json_object(", ") from ", " as obj)"], raw([text]), query);
		expect(check(helper("'id', 1"))).not.toThrow();
		expect(check(helper("'id', (select id from secret)"))).toThrow("select");
	});
});

describe("what Kysely writes as it is", () => {
	// threat 167
	it("is the name of a type, and nothing behind it", () => {
		expect(() => assertKnownNode({ kind: "DataTypeNode", dataType: "varchar(20)" })).not.toThrow();
		const dataType = "text) from secret --";
		expect(() => assertKnownNode({ kind: "DataTypeNode", dataType })).toThrow("DataTypeNode.dataType");
	});
});

it("refuses a table that is both of tenants and shared", () => {
	expect(() => listTables({ own: ["invoice"], shared: ["country"] })).not.toThrow();
	expect(() => listTables({ own: ["invoice"], shared: ["invoice"] })).toThrow("invoice is in both lists");
});
