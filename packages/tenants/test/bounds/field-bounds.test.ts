import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { describe, expect, it } from "vitest";
import { readFieldBounds } from "../../src/load/bounds/field-bounds.ts";
import { readTables } from "../../src/scope/data/tables.ts";

const schema: BetterAuthDBSchema = {
	note: {
		modelName: "notes",
		fields: {
			text: { type: "string" },
			slug: { type: "string", unique: true },
			title: { type: "string", sortable: true },
			author: { type: "string", references: { model: "user", field: "id" } },
			place: { type: "string" },
			kind: { type: ["a", "b"] },
			tags: { type: "string[]" },
			numbers: { type: "number[]" },
			data: { type: "json" },
			count: { type: "number" },
			at: { type: "date" },
		},
		indexes: [{ fields: ["place"] }],
	},
};
const bounds = readFieldBounds(schema, readTables(schema));

describe("the bound of a field", () => {
	it("follows from its kind, for tables that nobody listed", () => {
		const of = (field: string) => bounds.boundOf("note", field);
		expect(of("text")).toBe(2_048);
		for (const field of ["slug", "title", "author", "place", "kind", "count", "at", "id", "unknown"])
			expect([field, of(field)]).toEqual([field, 255]);
		for (const field of ["tags", "numbers", "data"]) expect([field, of(field)]).toEqual([field, 16_384]);
	});

	it("exists for verifications and sessions that are in the storage only", () => {
		expect(bounds.boundOf("verification", "value")).toBe(16_384);
		const raised = readFieldBounds(schema, readTables(schema), { verification: { value: 20_000 } });
		expect(raised.boundOf("verification", "value")).toBe(20_000);
	});

	it("adds up to that of its row", () => {
		expect(bounds.rowOf("note")).toBe(2_048 + 8 * 255 + 3 * 16_384);
		expect(bounds.rowOf("session")).toBe(255);
	});
});

describe("a row", () => {
	const write = (row: Record<string, unknown>, model = "notes") => bounds.assertRow(model, row);

	it("may have values of exactly that length, by any name of its table", () => {
		for (const model of ["note", "notes"]) {
			write({ text: "x".repeat(2_048), slug: "x".repeat(255), tags: ["x".repeat(16_380)], data: null }, model);
			expect(() => write({ text: "x".repeat(2_049) }, model)).toThrow(/limits\.fields/);
		}
		write({ at: new Date(), count: 7, data: undefined });
		expect(() => write({ count: "x".repeat(256) })).toThrow();
	});

	it("counts lists and objects as JSON, also in fields of another kind", () => {
		for (const field of ["tags", "data", "text", "slug"]) {
			expect(() => write({ [field]: ["x".repeat(16_381)] })).toThrow(/more than/);
			expect(() => write({ [field]: { more: "x".repeat(16_384) } })).toThrow(/more than/);
		}
	});

	it("is refused if JSON cannot contain its value", () => {
		const itself: Record<string, unknown> = {};
		itself.itself = itself;
		expect(() => write({ data: itself })).toThrow(/more than/);
	});
});
