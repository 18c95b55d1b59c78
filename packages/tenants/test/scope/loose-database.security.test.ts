import { runWithRequestState } from "@better-auth/core/context";
import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import { getAuthTables } from "better-auth/db";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { scopeAdapter } from "../../src/scope/data/adapter.ts";
import { createRawAdapter } from "../../src/scope/data/raw-adapter.ts";
import { createReservedIds } from "../../src/scope/data/reserved-ids.ts";
import { readTables } from "../../src/scope/data/tables.ts";
import { createTenantContext } from "../../src/scope/pin/tenant-context.ts";
import { newSessionToken } from "../../src/scope/sessions/session-proof.ts";

type Row = Record<string, unknown>;
type Query = { model: string; where: Where[]; update?: Row; set?: Row; select?: string[] };

const OWN: Where = { field: "tenantId", value: "acme", operator: "eq", connector: "AND" };
const adaIs = (rest: Partial<Where> = {}): Where => ({ field: "email", value: "ada@example.com", ...rest });

/** The scoped adapter on a database that returns these rows, whatever it is asked. */
const createScoped = (
	rows: Row[] = [],
	pin = createTenantContext(),
	assertOpen: () => Promise<void> | undefined = () => undefined,
) => {
	const sent: [method: string, query: Query][] = [];
	const created: { model: string; data: Row }[] = [];
	const answer =
		<Result>(method: string, result: Result) =>
		async (query: Query): Promise<Result> => {
			sent.push([method, query]);
			return result;
		};
	const database = {
		id: "loose",
		create: async (query: { model: string; data: Row }) => {
			created.push(query);
			return query.data;
		},
		findOne: answer("findOne", rows[0] ?? null),
		findMany: answer("findMany", rows),
		update: answer("update", rows[0] ?? null),
		updateMany: answer("updateMany", 1),
		count: answer("count", 1),
		delete: answer("delete", undefined),
		deleteMany: answer("deleteMany", 1),
		consumeOne: answer("consumeOne", rows[0] ?? null),
		incrementOne: answer("incrementOne", rows[0] ?? null),
		transaction: async (run: (inside: object) => unknown) => run(database),
	};
	const adapter = database as never as DBAdapter;
	const scoped = scopeAdapter(adapter, {
		raw: createRawAdapter(adapter),
		pin,
		tables: readTables(getAuthTables({ rateLimit: { storage: "database" } })),
		reservedIds: createReservedIds(undefined),
		assertOpen,
		decorate: (methods) => methods,
	});
	return { scoped, sent, created };
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

describe("a method", () => {
	const where = [adaIs()];
	const [update, increment] = [{ name: "Ada" }, { points: 1 }];
	const data = { name: "Ada", email: "ada@example.com" };
	const METHODS: [string, (scoped: DBAdapter, model: string) => Promise<unknown>][] = [
		["create", (scoped, model) => scoped.create({ model, data })],
		["findOne", (scoped, model) => scoped.findOne({ model, where })],
		["findMany", (scoped, model) => scoped.findMany({ model, where })],
		["count", (scoped, model) => scoped.count({ model, where })],
		["update", (scoped, model) => scoped.update({ model, where, update })],
		["updateMany", (scoped, model) => scoped.updateMany({ model, where, update })],
		["delete", (scoped, model) => scoped.delete({ model, where })],
		["deleteMany", (scoped, model) => scoped.deleteMany({ model, where })],
		["consumeOne", (scoped, model) => scoped.consumeOne({ model, where })],
		["incrementOne", (scoped, model) => scoped.incrementOne({ model, where, increment })],
	];

	// threat 44
	it.each(METHODS)("sends nothing if the tenant is closed: %s", async (_name, call) => {
		const pin = createTenantContext();
		const { scoped, sent, created } = createScoped([], pin, async () => Promise.reject(new Error("closed")));
		for (const model of ["user", "verification"])
			await expect(inAcme(() => call(scoped, model))).rejects.toThrow("closed");
		expect([...sent, ...created]).toEqual([]);
	});

	// threat 65
	it.each(METHODS.slice(1))("is about the rows of one tenant: %s", async (name, call) => {
		// no look-alike in either tenant, or a read would be repeated
		const { scoped, sent } = createScoped([{ id: "1", email: "ada@example.com" }]);
		await inAcme(() => call(scoped, "user"));
		await runWithTenant("globex", () => call(scoped, "user"));
		const conditions = sent.map(([method, query]) => [method, query.where]);
		expect(conditions).toEqual([
			[name, [...where, OWN]],
			[name, [...where, { ...OWN, value: "globex" }]],
		]);
	});

	it.each(METHODS.slice(1))("is about all rows of a table without tenants: %s", async (name, call) => {
		const { scoped, sent } = createScoped();
		await inAcme(() => call(scoped, "rateLimit"));
		expect(sent.at(-1)?.slice(0, 1)).toEqual([name]);
		expect(sent.map(([, query]) => query.where)).toEqual(sent.map(() => where));
	});

	it("writes the data as it is into a table without tenants", async () => {
		const { scoped, sent, created } = createScoped([{ id: "1" }]);
		const row = { id: "1", key: "x", tenantId: "globex" };
		await inAcme(async () => {
			await scoped.create({ model: "rateLimit", data: row, forceAllowId: true });
			await scoped.updateMany({ model: "rateLimit", where: [], update: row });
		});
		expect(created).toEqual([{ model: "rateLimit", data: row, forceAllowId: true }]);
		expect(sent).toEqual([["updateMany", { model: "rateLimit", where: [], update: row }]]);
		// for a request as well
		const pin = createTenantContext();
		await pin.ready();
		const other = createScoped([], pin);
		await runWithRequestState(new WeakMap(), async () => {
			await pin.set("acme", { headers: new Headers() });
			await other.scoped.updateMany({ model: "rateLimit", where: [], update: row });
		});
		expect(other.sent).toEqual(sent);
	});

	it("changes neither the tenant of a row, nor its id for a request", async () => {
		const pin = createTenantContext();
		await pin.ready();
		const { scoped, sent } = createScoped([{ id: "1" }], pin);
		const change = { id: "2", tenantId: "globex", name: "Ada" };
		const updates = async () => {
			sent.length = 0;
			await scoped.updateMany({ model: "user", where: [], update: change });
			await scoped.incrementOne({ model: "user", where: [], increment, set: change });
			return sent.map(([, query]) => query.update ?? query.set);
		};
		expect(await inAcme(updates)).toEqual([
			{ id: "2", name: "Ada" },
			{ id: "2", name: "Ada" },
		]);
		await runWithRequestState(new WeakMap(), async () => {
			await pin.set("acme", { headers: new Headers() });
			expect(await updates()).toEqual([{ name: "Ada" }, { name: "Ada" }]);
		});
	});
});

describe("a new session", () => {
	// threat 40
	it("must have a token that names its tenant", async () => {
		const { scoped, created } = createScoped([{ id: "ada" }]);
		for (const token of [undefined, null, 17, "plain", newSessionToken("globex", null)])
			await expect(inAcme(() => scoped.create({ model: "session", data: { token } }))).rejects.toThrow(
				"a session token does not name its tenant",
			);
		expect(created).toEqual([]);
		const token = newSessionToken("acme", null);
		expect(await inAcme(() => scoped.create({ model: "session", data: { token } }))).toEqual({
			token,
			tenantId: "acme",
		});
	});
});

describe("a reserved name", () => {
	const NAME = "n".repeat(43);
	const conditionFor = async (model: string, condition: Where) => {
		const { scoped, sent } = createScoped();
		await inAcme(() => scoped.findMany({ model, where: [condition] }));
		return sent[0]?.[1].where[0];
	};

	it("is looked up as it is stored in the tenant, by its id only", async () => {
		const named = await conditionFor("verification", { field: "id", value: NAME });
		expect(named).toMatchObject({
			field: "id",
			operator: "in",
			value: [NAME, expect.stringMatching(/^[\da-f-]{36}$/)],
		});
		expect(await conditionFor("verification", { field: "id", value: NAME, operator: "eq" })).toEqual(named);
		for (const other of [
			{ field: "identifier", value: NAME },
			{ field: "id", value: NAME, operator: "ne" as const },
			{ field: "id", value: "other" },
		])
			expect(await conditionFor("verification", other)).toEqual(other);
		expect(await conditionFor("user", { field: "id", value: NAME })).toEqual({ field: "id", value: NAME });
	});

	it("is stored under another id in each tenant, if the id counts", async () => {
		const create = async (tenantId: string, more: object) => {
			const { scoped, created } = createScoped();
			await runWithTenant(tenantId, () => scoped.create({ model: "verification", data: { id: NAME }, ...more }));
			return created[0]?.data;
		};
		const [a, b] = [await create("acme", { forceAllowId: true }), await create("globex", { forceAllowId: true })];
		expect(a).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/), tenantId: "acme" });
		expect(b?.id).not.toBe(a?.id);
		expect(await create("acme", {})).toEqual({ id: NAME, tenantId: "acme" });
		// the engine generates an id only if there is no such key
		expect(Object.keys((await create("acme", { data: { id: undefined }, forceAllowId: true })) ?? {})).toEqual([
			"tenantId",
		]);
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

	it("returns null if the tenant has no such row", async () => {
		const { scoped, sent } = createScoped();
		const where = [{ field: "name", value: "Ada" }];
		expect(await inAcme(() => scoped.update({ model: "user", where, update: { name: "Eve" } }))).toBeNull();
		expect(sent.map(([method]) => method)).toEqual(["findOne"]);
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

	// threat 40
	it("must be to a row of the tenant, in whatever writes it", async () => {
		const WRITES: ((scoped: DBAdapter, userId: string | null) => Promise<unknown>)[] = [
			(scoped, userId) => scoped.create({ model: "account", data: { userId } }),
			(scoped, userId) => scoped.update({ model: "account", where: [{ field: "id", value: "1" }], update: { userId } }),
			(scoped, userId) => scoped.updateMany({ model: "account", where: [], update: { userId } }),
			(scoped, userId) =>
				scoped.incrementOne({ model: "account", where: [], increment: { points: 1 }, set: { userId } }),
		];
		for (const tenantId of ["acme", "globex"])
			for (const write of WRITES) {
				const { scoped, sent, created } = createScoped();
				await expect(runWithTenant(tenantId, () => write(scoped, "ada"))).rejects.toMatchObject({
					body: { code: "REFERENCE_NOT_IN_TENANT" },
				});
				const where = [
					{ field: "id", value: "ada" },
					{ field: "tenantId", value: tenantId, connector: "AND" },
				];
				expect([...sent, ...created]).toEqual([["findOne", { model: "user", where, select: ["id"] }]]);
				sent.length = 0;
				await runWithTenant(tenantId, () => write(scoped, null));
				expect(sent.filter(([method]) => method === "findOne")).toEqual([]);
			}
	});

	it("is to nothing where a row is only counted up", async () => {
		const { scoped, sent } = createScoped([{ id: "1" }]);
		const query = { model: "account", where: [{ field: "id", value: "1" }], increment: { points: 1 } };
		await inAcme(() => scoped.incrementOne(query));
		expect(sent).toEqual([["incrementOne", { ...query, where: [...query.where, OWN] }]]);
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
