import type { Where } from "@better-auth/core/db/adapter";
import { describe, expect, it } from "vitest";
import { exactRows } from "../../src/scope/data/exact-rows.ts";

type Row = { id: string; email: string; age?: number };
type Query = {
	model: string;
	where?: Where[];
	limit?: number;
	offset?: number;
	sortBy?: { field: string; direction: "asc" | "desc" };
};

/** A table whose comparisons ignore case, as MySQL's do, and what was asked of it. */
const looseTable = (rows: Row[]) => {
	const asked: Query[] = [];
	const fold = (value: unknown): unknown => (typeof value === "string" ? value.toLowerCase() : value);
	const matching = (where: Where[] = []): Row[] =>
		rows.filter((row) =>
			where.every(({ field, value, operator = "eq" }) =>
				operator === "ne"
					? fold(row[field as keyof Row]) !== fold(value)
					: fold(row[field as keyof Row]) === fold(value),
			),
		);
	const reads = {
		findOne: async (query: Query) => {
			asked.push(query);
			return matching(query.where)[0] ?? null;
		},
		findMany: async (query: Query) => {
			asked.push(query);
			const { offset = 0, limit = 100 } = query;
			return matching(query.where).slice(offset, offset + limit);
		},
	};
	return { asked, ...exactRows(reads as never) };
};

const emails = (rows: unknown[]): string[] => rows.map((row) => (row as Row).email);
const user = (id: number | string, email: string): Row => ({ id: String(id).padStart(4, "0"), email });
const lookAlikes = (count: number): Row[] => Array.from({ length: count }, (_, at) => user(at, "ADA@example.com"));
const where = (value: unknown, more: Partial<Where> = {}): Where[] => [
	{ field: "email", value: value as string, ...more },
];

describe("one row", () => {
	it("is the exact one, also behind a hundred look-alikes and more", async () => {
		for (const before of [0, 1, 99, 100, 101, 250]) {
			const { findOne, asked } = looseTable([...lookAlikes(before), user(9999, "ada@example.com")]);
			expect((await findOne<Row>({ model: "user", where: where("ada@example.com") }))?.id).toBe("9999");
			expect(asked).toHaveLength(before === 0 ? 1 : 2 + Math.floor(before / 100));
			for (const query of asked.slice(1)) expect(query.sortBy).toEqual({ field: "id", direction: "asc" });
		}
	});

	it("is none if only look-alikes exist, or none at all", async () => {
		for (const others of [0, 1, 100, 150]) {
			const { findOne } = looseTable(lookAlikes(others));
			expect(await findOne({ model: "user", where: where("ada@example.com") })).toBeNull();
		}
	});
});

describe("several rows", () => {
	it("are the exact ones up to the limit, and are read again only after a full page with look-alikes", async () => {
		const rows = [...lookAlikes(120), user(8001, "ada@example.com"), user(8002, "ada@example.com")];
		const { findMany, asked } = looseTable(rows);
		const read = async (limit?: number, offset?: number) => {
			asked.length = 0;
			const query = { model: "user", where: where("ada@example.com"), ...(limit === undefined ? {} : { limit }) };
			return emails(await findMany({ ...query, ...(offset === undefined ? {} : { offset }) })).length;
		};
		expect([await read(1), asked.length]).toEqual([1, 3]);
		expect([await read(5), asked.length]).toEqual([2, 3]);
		// all rows were read
		expect([await read(200), asked.length]).toEqual([2, 1]);
		// a later page has a place in the order of all rows
		expect([await read(1, 120), asked.length]).toEqual([1, 1]);
		expect([await read(1, 1), asked.length]).toEqual([0, 1]);
		// without a limit, the adapter's own is one
		expect([await read(), asked.length]).toEqual([2, 3]);
	});

	it("cost one read if none was dropped", async () => {
		const { findMany, asked } = looseTable([user(1, "ada@example.com"), user(2, "ada@example.com")]);
		expect(emails(await findMany({ model: "user", where: where("ada@example.com"), limit: 2 }))).toHaveLength(2);
		expect(asked).toHaveLength(1);
	});
});

describe("conditions that are not about exact texts", () => {
	it("drop nothing: other operators, alternatives, those without case, and values that are no text", async () => {
		const { findMany } = looseTable([user(1, "ADA@example.com")]);
		const kept = async (conditions: Where[]) => (await findMany({ model: "user", where: conditions })).length;
		expect(await kept(where("ada@example.com"))).toBe(0);
		expect(await kept(where("bob@example.com", { operator: "ne" }))).toBe(1);
		expect(await kept(where("ada@example.com", { connector: "OR" }))).toBe(1);
		expect(await kept(where("ada@example.com", { mode: "insensitive" }))).toBe(1);
		expect(await kept([])).toBe(1);
		expect((await findMany({ model: "user" })).length).toBe(1);
		const { findMany: withAge } = looseTable([{ ...user(1, "a"), age: 3 }]);
		expect(await withAge({ model: "user", where: [{ field: "age", value: 3 }] })).toHaveLength(1);
	});

	it("are all compared, not only one", async () => {
		const { findMany } = looseTable([user("ID", "ADA@example.com")]);
		const conditions: Where[] = [{ field: "id", value: "00ID" }, ...where("ada@example.com")];
		expect(await findMany({ model: "user", where: conditions })).toEqual([]);
	});

	it("compare only columns that contain a text", async () => {
		const { findOne } = exactRows({ findOne: async () => ({ id: 7 }), findMany: async () => [] } as never);
		expect(await findOne({ model: "user", where: [{ field: "id", value: "7" }] })).toEqual({ id: 7 });
	});
});
