import { runWithRequestState } from "@better-auth/core/context";
import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import { getAuthTables } from "better-auth/db";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { scopeAdapter } from "../../src/scope/adapter.ts";
import { createNamedRows } from "../../src/scope/named-row-id.ts";
import { createRawAdapter } from "../../src/scope/raw-adapter.ts";
import { readTables } from "../../src/scope/tables.ts";
import { createTenantContext } from "../../src/scope/tenant-context.ts";

type Row = Record<string, unknown>;
type Query = { model: string; where: Where[]; limit?: number };

const OWN: Where = { field: "tenantId", value: "acme", operator: "eq", connector: "AND" };
const adaIs = (rest: Partial<Where> = {}): Where => ({ field: "email", value: "ada@example.com", ...rest });

/** The scoped adapter on a database that returns these rows, whatever it is asked. */
const createScoped = (rows: Row[] = [], pin = createTenantContext()) => {
	const sent: [method: string, query: Query][] = [];
	const answer =
		<Result>(method: string, result: Result) =>
		async (query: Query): Promise<Result> => {
			sent.push([method, query]);
			return result;
		};
	const database = {
		id: "loose",
		create: async ({ data }: { data: Row }) => data,
		findOne: answer("findOne", rows[0] ?? null),
		findMany: answer("findMany", rows),
		update: answer("update", rows[0] ?? null),
		transaction: async (run: (inside: object) => unknown) => run(database),
	};
	const adapter = database as never as DBAdapter;
	const scoped = scopeAdapter(adapter, {
		raw: createRawAdapter(adapter),
		pin,
		tables: readTables(getAuthTables({})),
		namedRows: createNamedRows(undefined),
		assertOpen: () => undefined,
		decorate: (methods) => methods,
	});
	return { scoped, sent };
};

const inAcme = <Result>(run: () => Result): Result => runWithTenant("acme", run);

describe("a row that the database returns", () => {
	const found = (row: Row, where: Where[]) =>
		inAcme(() => createScoped([row]).scoped.findOne<Row>({ model: "user", where }));

	// threat 65
	it.each([
		["without an operator", [adaIs()]],
		["with the operator eq", [adaIs({ operator: "eq" })]],
		["after another condition", [{ field: "name", value: "Ada" }, adaIs()]],
	])("is dropped if a text differs, %s", async (_name, where) => {
		const row = { id: "1", name: "Ada", tenantId: "acme" };
		expect(await found({ ...row, email: "ADA@example.com" }, where)).toBeNull();
		expect(await found({ ...row, email: "ada@example.com" }, where)).toMatchObject(row);
		const rows = [
			{ ...row, email: "ADA@example.com" },
			{ ...row, email: "ada@example.com" },
		];
		const many = inAcme(() => createScoped(rows).scoped.findMany<Row>({ model: "user", where }));
		expect(await many).toEqual([rows[1]]);
	});

	it("is dropped if its tenant differs", async () => {
		for (const tenantId of ["Acme", "globex"])
			expect(await found({ id: "1", email: "ada@example.com", tenantId }, [adaIs()])).toBeNull();
	});

	it.each([
		["an alternative", [adaIs({ connector: "OR" }), { field: "name", value: "Ada", connector: "OR" as const }]],
		["a condition of another kind", [adaIs({ operator: "contains" })]],
		["a condition that ignores case", [adaIs({ mode: "insensitive" })]],
		["a number", [{ field: "email", value: 17 }]],
	])("stays if the condition is %s", async (_name, where) => {
		const row = { id: "1", name: "Ada", email: "ADA@example.com", tenantId: "acme" };
		expect(await found(row, where)).toEqual(row);
	});

	it("stays if the database stores a number", async () => {
		const row = { id: 17, tenantId: "acme" };
		expect(await found(row, [{ field: "id", value: "17" }])).toEqual(row);
	});
});

describe("a query", () => {
	it("asks the database for the rows of one tenant", async () => {
		const { scoped, sent } = createScoped();
		await inAcme(() => scoped.findMany({ model: "user", where: [adaIs()] }));
		await runWithTenant("globex", () => scoped.findMany({ model: "user" }));
		expect(sent.map(([, { where }]) => where)).toEqual([[adaIs(), OWN], [{ ...OWN, value: "globex" }]]);
	});

	it.each([
		["is not sent for one of none", [{ field: "id", operator: "in" as const, value: [] }], 0],
		["is not sent for one of none and more", [adaIs(), { field: "id", operator: "in" as const, value: [] }], 0],
		["is sent for one of some", [{ field: "id", operator: "in" as const, value: ["1"] }], 1],
		["is sent for none of none", [{ field: "id", operator: "not_in" as const, value: [] }], 1],
		["is sent if one of none is an alternative", [{ field: "id", operator: "in", value: [], connector: "OR" }], 1],
		["is sent for an empty text", [{ field: "id", operator: "in" as const, value: "" }], 1],
	] as [string, Where[], number][])("%s", async (_name, where, times) => {
		const { scoped, sent } = createScoped();
		expect(await inAcme(() => scoped.findMany({ model: "user", where }))).toEqual([]);
		expect(sent).toHaveLength(times);
	});
});

describe("an update", () => {
	const ROW = { id: "1", tenantId: "acme" };
	const change = async (where: Where[], update: Row = { name: "Ada" }) => {
		const { scoped, sent } = createScoped([ROW]);
		await inAcme(() => scoped.update({ model: "user", where, update }));
		return sent.map(([method, query]) => [method, query.where]);
	};

	it.each([
		["its id", [{ field: "id", value: "1" }]],
		["a unique field", [adaIs()]],
		["a unique field and more", [adaIs(), { field: "name", value: "Ada" }]],
		[
			"its id and more",
			[
				{ field: "name", value: "Ada" },
				{ field: "id", value: "1" },
			],
		],
	])("goes by %s, which names one row of all tenants", async (_name, where) => {
		expect(await change(where)).toEqual([["update", [...where, OWN]]]);
	});

	// threat 65
	it.each([
		["a field that is not unique", [{ field: "name", value: "Ada" }]],
		["no condition", []],
		["a unique field that is not the first", [{ field: "name", value: "Ada" }, adaIs()]],
		["a part of a unique field", [adaIs({ operator: "contains" })]],
		["an alternative", [adaIs({ connector: "OR" }), { field: "name", value: "Ada" }]],
		["another id", [{ field: "id", value: "1", operator: "ne" as const }]],
	])("finds the tenant's row first if it goes by %s", async (_name, where) => {
		expect(await change(where)).toEqual([
			["findOne", [...where, OWN]],
			["update", [{ field: "id", value: "1" }, OWN]],
		]);
	});

	it("reads the row if it changes nothing", async () => {
		expect(await change([adaIs()], {})).toEqual([["findOne", [adaIs(), OWN]]]);
		expect(await change([adaIs()], { name: undefined })).toEqual([["findOne", [adaIs(), OWN]]]);
		expect(await change([adaIs()], { name: undefined, image: "x" })).toEqual([["update", [adaIs(), OWN]]]);
	});
});

describe("a reference", () => {
	const account = (userId: string) => ({ model: "account", data: { userId, providerId: "x", accountId: "x" } });

	it("is looked up once in a request, and not for rows that it has seen, in each tenant", async () => {
		const pin = createTenantContext();
		await pin.ready();
		const { scoped, sent } = createScoped([{ id: "ada" }], pin);
		const lookUps = async (userId: string): Promise<number> => {
			sent.length = 0;
			await scoped.create(account(userId));
			return sent.length;
		};
		await runWithRequestState(new WeakMap(), async () => {
			await pin.set("acme", {});
			expect([await lookUps("grace"), await lookUps("grace")]).toEqual([1, 0]);
			await scoped.findOne({ model: "user", where: [] });
			expect(await lookUps("ada")).toBe(0);
			expect(await runWithTenant("globex", () => lookUps("ada"))).toBe(1);
			expect(await runWithTenant("globex", () => lookUps("ada"))).toBe(0);
		});
	});

	it("of a row that was read needs no lookup either, unless many were", async () => {
		for (const [count, expected] of [
			[1, 0],
			[2, 0],
			[3, 1],
		] as const) {
			const pin = createTenantContext();
			await pin.ready();
			const rows = Array.from({ length: count }, (_, n) => ({ id: `${n}`, userId: "ada", tenantId: "acme" }));
			const { scoped, sent } = createScoped(rows, pin);
			await runWithRequestState(new WeakMap(), async () => {
				await pin.set("acme", {});
				await scoped.findMany({ model: "session" });
				sent.length = 0;
				await scoped.create(account("ada"));
				expect([count, sent.length]).toEqual([count, expected]);
			});
		}
	});
});
