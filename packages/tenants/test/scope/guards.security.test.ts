import type { Where } from "@better-auth/core/db/adapter";
import { APIError, BetterAuthError } from "@better-auth/core/error";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApiKeyGuard } from "../../src/scope/data/api-key-guard.ts";
import { closedByDatabase, NOT_OPEN } from "../../src/scope/data/closed-by-database.ts";
import { createGrantGuard } from "../../src/scope/data/grant-guard.ts";
import { isRefusedValue } from "../../src/scope/data/refused-values.ts";
import { isDriverQueryError, isOutage } from "../../src/scope/pin/outage.ts";
import { skippingCache } from "../../src/scope/sessions/cache-version.ts";
import { endCopies } from "../../src/scope/sessions/ended-copies.ts";
import { endCachedSessions, hideEndedSessions } from "../../src/scope/sessions/ended-sessions.ts";

const TOKEN = "a".repeat(32);

afterEach(() => void vi.useRealTimers());

describe("the guard of API keys", () => {
	const KEY = { id: "key", referenceId: "ada" };

	const createGuard = ({ tenant = "acme", users = ["ada"], organizations = null as string[] | null } = {}) => {
		const guard = createApiKeyGuard({
			pin: { current: () => tenant },
			keyOf: (model) => model.toLowerCase(),
			hasOrganizations: organizations !== null,
		});
		const rows: Record<string, string[]> = { user: users, organization: organizations ?? [] };
		const findOne = async ({ model, where }: { model: string; where: { value: unknown }[] }) => {
			if (model === "apiKey") return KEY;
			const id = String(where[0]?.value);
			return rows[model]?.includes(id) ? { id } : null;
		};
		const methods = guard.wrap({ findOne } as never);
		const find = (field = "key", model = "apiKey") => methods.findOne({ model, where: [{ field, value: "ada" }] });
		return { guard, find };
	};
	const refuse = async () => true;

	it("asks for nothing until there is a rule, and nothing on the platform", async () => {
		expect(await createGuard({ users: [] }).find()).toEqual(KEY);
		const { guard, find } = createGuard({ users: [], tenant: "platform" });
		guard.use(refuse);
		expect(await find()).toEqual(KEY);
	});

	it("finds no key that a rule refuses in its tenant, of a user who exists", async () => {
		const { guard, find } = createGuard();
		const seen: unknown[] = [];
		guard.use(async (tenantId, found) => {
			seen.push([tenantId, found]);
			return false;
		});
		expect(await find()).toEqual(KEY);
		expect(seen).toEqual([["acme", { user: { id: "ada" }, key: KEY }]]);
		guard.use(refuse);
		expect(await find()).toBeNull();
		// another table, and the management of keys
		expect(await find("key", "user")).toEqual({ id: "ada" });
		expect(await find("id")).toEqual(KEY);
	});

	it("finds the keys of organizations, if they can have some, and none of users who are gone", async () => {
		const accept = async () => false;
		for (const [organizations, expected] of [
			[null, null],
			[["other"], null],
			[["ada"], KEY],
		] as const) {
			const { guard, find } = createGuard({ users: [], organizations: organizations && [...organizations] });
			guard.use(accept);
			expect(await find()).toEqual(expected);
		}
	});

	it("guards the keys in the storage", async () => {
		const { guard } = createGuard();
		const stored: Record<string, unknown> = {
			"api-key:hash": KEY,
			"api-key:by-id:1": KEY,
			"api-key:odd": "no key",
			other: KEY,
		};
		const current = { findOne: async () => ({ id: "ada" }) };
		const storage = guard.guardStorage(
			{ get: async (name: string) => stored[name] ?? null } as never,
			() => current as never,
		);
		expect(await storage.get("api-key:odd")).toBe("no key");
		guard.use(async () => false);
		expect(await storage.get("api-key:hash")).toEqual(KEY);
		guard.use(refuse);
		expect(await Promise.all(Object.keys(stored).map((name) => storage.get(name)))).toEqual([null, KEY, null, KEY]);
		expect(await storage.get("missing")).toBeNull();
	});
});

describe("the guard of grants", () => {
	it("does nothing without a rule, on the platform and on other endpoints", () => {
		const PATH = "/oauth2/token";
		const before = (path: string, tenantId: string, hasRule: boolean): boolean => {
			const guard = createGrantGuard();
			if (hasRule) guard.use(async () => true);
			const [adapter, internalAdapter] = [{}, {}];
			const context = { adapter, internalAdapter };
			guard.before({ path, context } as never, tenantId);
			return context.adapter !== adapter;
		};
		expect(before(PATH, "acme", true)).toBe(true);
		expect(before(PATH, "acme", false)).toBe(false);
		expect(before(PATH, "platform", true)).toBe(false);
		expect(before("/sign-in/email", "acme", true)).toBe(false);
	});
});

describe("cached sessions", () => {
	const session = { session: { userId: "ada" } as never, user: {} as never };
	const versionOf = async (options: ReturnType<typeof skippingCache>) => {
		const version = options.session?.cookieCache?.version;
		return typeof version === "function" ? version(session.session, session.user) : version;
	};

	it("are skipped by a version that equals none", async () => {
		for (const version of [undefined, "7", async () => "7"]) {
			const options = { session: { cookieCache: { enabled: true, ...(version ? { version } : {}) } } };
			expect(await versionOf(skippingCache(options, () => false))).toBe(version ? "7" : "1");
			const skipped = [
				await versionOf(skippingCache(options, () => true)),
				await versionOf(skippingCache(options, () => true)),
			];
			expect(new Set([...skipped, "1", "7"]).size).toBe(4);
		}
	});

	it("stay as they are if there is no cache", () => {
		for (const options of [{}, { session: {} }, { session: { cookieCache: { enabled: false } } }])
			expect(skippingCache(options, () => true)).toBe(options);
	});

	it("end with the sessions of their tenant, and stay in others", async () => {
		let tenant = "acme";
		const sessionsSince = async (tenantId: string) => (tenantId === "acme" ? 17 : null);
		for (const version of [undefined, "7", async () => "7"]) {
			const options = { session: { cookieCache: { enabled: true, ...(version ? { version } : {}) } } };
			endCachedSessions(options, { current: () => tenant }, sessionsSince);
			tenant = "acme";
			expect(await versionOf(options)).toBe(version ? "7:17" : "1:17");
			tenant = "globex";
			expect(await versionOf(options)).toBe(version ? "7" : "1");
		}
		for (const options of [{}, { session: {} }, { session: { cookieCache: { enabled: false } } }]) {
			const before = JSON.stringify(options);
			endCachedSessions(options, { current: () => tenant }, sessionsSince);
			expect(JSON.stringify(options)).toBe(before);
		}
	});
});

describe("a stored session or verification", () => {
	const SINCE = Date.parse("2026-11-18T00:00:00.000Z");
	const at = (ms: number) => ({ createdAt: new Date(SINCE + ms).toISOString() });

	const read = async (key: string, value: unknown, tenant = "acme") => {
		const storage = { get: async () => value, getAndDelete: async () => value };
		const sessionsSince = async (tenantId: string) => (tenantId === "acme" ? SINCE : null);
		const hiding = hideEndedSessions(storage as never, { current: () => tenant }, sessionsSince);
		const [got, consumed] = [await hiding.get(key), await hiding.getAndDelete(key)];
		expect(consumed).toEqual(got);
		return got;
	};

	it("is hidden if it is older than the end of its tenant's sessions, or does not say", async () => {
		for (const key of [TOKEN, "verification:reset-password:x"]) {
			for (const value of [at(0), { session: at(1) }, { session: at(0), ...at(-1) }]) {
				expect(await read(key, value)).toEqual(value);
				expect(await read(key, JSON.stringify(value))).toBe(JSON.stringify(value));
			}
			for (const value of [at(-1), { session: at(-1), ...at(1) }, {}, "no JSON", { session: {} }, 17]) {
				expect([key, value, await read(key, value)]).toEqual([key, value, null]);
				expect(await read(key, value, "globex")).toEqual(value);
			}
			expect(await read(key, null)).toBeNull();
		}
	});

	it("is not looked for in other keys", async () => {
		expect(await read("active-sessions-ada", at(-1))).toEqual(at(-1));
	});
});

describe("the copy of a session", () => {
	const createCopies = (updated: object | null) => {
		const deleted: string[] = [];
		const storage = { delete: async (key: string) => void deleted.push(key) };
		const methods = { update: async () => updated, delete: async () => undefined, deleteMany: async () => 3 };
		return { methods: endCopies(storage, (model) => model === "session")(methods as never), deleted };
	};
	const byToken = (more: Partial<Where> = {}) => ({
		model: "session",
		where: [{ field: "token", value: TOKEN, ...more }],
	});

	it("ends with its row", async () => {
		const { methods, deleted } = createCopies({});
		await methods.delete(byToken());
		await methods.delete(byToken({ operator: "eq" }));
		expect(
			await methods.deleteMany({
				model: "session",
				where: [{ field: "token", operator: "in", value: ["one", "two"] }],
			}),
		).toBe(3);
		expect(deleted).toEqual([TOKEN, TOKEN, "one", "two"]);
	});

	it("ends if a renewal finds no row, and not otherwise", async () => {
		const gone = createCopies(null);
		expect(await gone.methods.update({ ...byToken(), update: {} })).toBeNull();
		expect(gone.deleted).toEqual([TOKEN]);
		const there = createCopies({ id: "1" });
		expect(await there.methods.update({ ...byToken(), update: {} })).toEqual({ id: "1" });
		expect(there.deleted).toEqual([]);
	});

	it("stays if a row of another table, or no token, is named", async () => {
		const { methods, deleted } = createCopies(null);
		await methods.delete({ ...byToken(), model: "account" });
		await methods.delete({ model: "session", where: [{ field: "userId", value: TOKEN }] });
		await methods.delete(byToken({ operator: "ne" }));
		await methods.delete(byToken({ operator: "in" }));
		await methods.delete(byToken({ operator: "not_in", value: [TOKEN] }));
		expect(deleted).toEqual([]);
	});
});

describe("an error of the database", () => {
	const withCode = (code: unknown, more: object = {}) => Object.assign(new Error("driver"), { code }, more);
	const wrapped = (cause: unknown) => new Error("an ORM's", { cause });

	it("says that a tenant is closed", () => {
		const codeOf = (error: unknown) => closedByDatabase(error)?.body?.code;
		for (const [status, code] of [
			["suspended", "TENANT_SUSPENDED"],
			["archived", "TENANT_ARCHIVED"],
			["missing", "TENANT_NOT_FOUND"],
		]) {
			expect(codeOf(new Error(`x ${NOT_OPEN}:${status} y`))).toBe(code);
			expect(codeOf(wrapped(wrapped(new Error(`${NOT_OPEN}:${status}`))))).toBe(code);
		}
		for (const other of [
			new Error(NOT_OPEN),
			new Error("x"),
			`${NOT_OPEN}:missing`,
			null,
			new APIError("CONFLICT", { message: `${NOT_OPEN}:missing` }),
		])
			expect(closedByDatabase(other)).toBeNull();
	});

	it("refuses a value", () => {
		for (const code of [
			"22001",
			"22P02",
			"54000",
			"ER_DATA_TOO_LONG",
			"ER_TRUNCATED_WRONG_VALUE_FOR_FIELD",
			"SQLITE_TOOBIG",
		]) {
			expect(isRefusedValue(withCode(code))).toBe(true);
			expect(isRefusedValue(wrapped(withCode(code)))).toBe(true);
		}
		expect(isRefusedValue(new BetterAuthError("Value must be an array"))).toBe(true);
		expect(isRefusedValue(new APIError("BAD_REQUEST", { code: "INVALID_VALUE", message: "" }))).toBe(true);
		const others = ["42P01", "122001", "22001x", "ER_DATA_TOO_LONG_X", "xSQLITE_TOOBIG", undefined].map((code) =>
			withCode(code),
		);
		for (const other of [
			...others,
			new BetterAuthError("x"),
			new APIError("CONFLICT", { code: "X", message: "" }),
			null,
			"22001",
			undefined,
		])
			expect(isRefusedValue(other)).toBe(false);
	});

	it("is an outage, unless the database answered", () => {
		const answered = ["23505", "22001", "ER_DUP_ENTRY", "SQLITE_CONSTRAINT_UNIQUE", "P2002", "P2015", "11000"].map(
			(code) => withCode(code),
		);
		const sqlite = [withCode("ERR_SQLITE_ERROR", { errcode: 2067 }), withCode("ERR_SQLITE_ERROR", { errcode: 19 })];
		for (const error of [...answered, ...sqlite]) {
			expect([String(error), isOutage(error), isDriverQueryError(error)]).toEqual([String(error), false, true]);
			expect(isOutage(wrapped(error))).toBe(false);
		}
		for (const error of [new APIError("CONFLICT"), new BetterAuthError("x")]) expect(isOutage(error)).toBe(false);
		const lost = ["ECONNREFUSED", "08006", "57P01", "P1001", "123505", "SQLITE_BUSY", "SQLITE_IOERR"].map((code) =>
			withCode(code),
		);
		for (const error of [
			...lost,
			withCode("ERR_SQLITE_ERROR", { errcode: 5 }),
			new Error("x"),
			null,
			"23505",
			wrapped(new Error("x")),
		])
			expect([String(error), isOutage(error)]).toEqual([String(error), true]);
	});
});
