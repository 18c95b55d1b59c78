import { runWithEndpointContext, runWithRequestState } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import { describe, expect, it } from "vitest";
import { SESSION_CHECK } from "../../src/endpoints/session-endpoints.ts";
import { createResponseFloor } from "../../src/features/email/response-floor.ts";
import { afterSteps } from "../../src/plugin/steps.ts";
import { findKeys } from "../../src/scope/data/key-scan.ts";
import { withKeyScan } from "../../src/scope/data/redis-key-scan.ts";
import { guardSigningKeys } from "../../src/scope/data/signing-keys.ts";
import { type Dispatch, noteDispatch } from "../../src/scope/pin/dispatch.ts";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { rewritingErrors } from "../../src/scope/pin/rewritten-errors.ts";
import { createTenantContext } from "../../src/scope/pin/tenant-context.ts";
import { hasLifecycle } from "../../src/scope/pin/tenant-state.ts";
import { mayRenewCookies, renewCookies } from "../../src/scope/sessions/renewed-cookies.ts";
import { areInDatabase, sessionsByDatabase } from "../../src/scope/sessions/sessions-by-database.ts";

/** A context of which this was noted. */
const noted = (known: Dispatch): object => {
	const context = {};
	noteDispatch(context, known);
	return context;
};

const token = (letter: string): string => letter.repeat(32);
const LIST = "active-sessions-ada";
const LATER = new Date(Date.now() + 3_600_000);
const EARLIER = new Date(Date.now() - 3_600_000);

describe("sessions in the storage and in the database", () => {
	const create = (stored: Record<string, unknown> = {}, rows: string[] = []) => {
		const called: string[] = [];
		const asked: Record<string, unknown>[] = [];
		const tenant = { id: "acme" };
		const failing = { error: null as Error | null };
		const storage = {
			get: async (key: string) => {
				if (failing.error) throw failing.error;
				return stored[key] ?? null;
			},
			set: async (key: string, value: string, ttl?: number) => void called.push(`set ${key} ${value} ${ttl}`),
			delete: async (key: string) => void called.push(`delete ${key}`),
		};
		const findMany = async (query: Record<string, unknown>) => {
			asked.push(query);
			return rows.map((one) => ({
				token: token(one),
				expiresAt: LATER,
				updatedAt: EARLIER,
				...(one === "i" ? { impersonatedBy: "boss" } : {}),
				userId: "ada",
			}));
		};
		const users = ["ada"];
		const looked: unknown[] = [];
		const findOne = async ({ where }: { where: { value: string }[] }) => {
			looked.push(where);
			const id = where[0]?.value ?? "";
			return users.includes(id) ? { id } : null;
		};
		const sessions = sessionsByDatabase(storage as never, { findMany, findOne } as never, { current: () => tenant.id });
		return { sessions, called, asked, tenant, failing, users, looked };
	};
	const inRequest = async <Result>(run: () => Promise<Result>): Promise<Result> =>
		runWithRequestState(new WeakMap(), run);
	const at = async <Result>(path: string, run: () => Promise<Result>): Promise<Result> =>
		runWithEndpointContext({ path } as never, run);
	const listOf = (...letters: string[]) => letters.map((one) => ({ token: token(one), expiresAt: LATER.getTime() }));

	it("are in both only as the engine says", () => {
		expect(areInDatabase({ storeSessionInDatabase: true })).toBe(true);
		for (const session of [
			undefined,
			{},
			{ storeSessionInDatabase: false },
			{ storeSessionInDatabase: true, preserveSessionInDatabase: true },
		])
			expect(areInDatabase(session)).toBe(false);
	});

	it("are listed together, each once, with what the database says", async () => {
		const stale = [{ token: token("a"), expiresAt: 1 }, ...listOf("c")];
		const { sessions, asked } = create({ [LIST]: JSON.stringify(stale) }, ["a", "b", "i"]);
		const listed = JSON.parse(String(await sessions.get(LIST)));
		const since = EARLIER.getTime();
		const [a, c, b, i] = listOf("a", "c", "b", "i");
		expect(listed).toEqual([{ ...a, since }, c, { ...b, since }, { ...i, since, isImpersonated: true }]);
		expect(asked).toEqual([
			{
				model: "session",
				where: [
					{ field: "userId", value: "ada" },
					{ field: "expiresAt", value: expect.any(Date), operator: "gt" },
				],
			},
		]);
	});

	it("are read from the storage only, for one session and other keys", async () => {
		const { sessions, asked } = create({ [LIST]: "[]", other: "value", [token("a")]: "stored" }, ["b"]);
		expect(await at(SESSION_CHECK, async () => sessions.get(LIST))).toBe("[]");
		expect([await sessions.get("other"), await sessions.get(token("a"))]).toEqual(["value", "stored"]);
		expect(asked).toEqual([]);
	});

	it("are handed out in the request that read them, in its tenant, while the storage has none", async () => {
		const { sessions, tenant, users, looked } = create({ [token("c")]: "stored" }, ["a", "b", "c"]);
		await inRequest(async () => {
			expect(await sessions.get(token("a"))).toBeNull();
			await sessions.get(LIST);
			expect(looked).toEqual([]);
			const { session, user } = JSON.parse(String(await sessions.get(token("a"))));
			expect([session.token, session.userId, user]).toEqual([token("a"), "ada", { id: "ada" }]);
			expect("user" in session).toBe(false);
			expect(await sessions.get(token("c"))).toBe("stored");
			await sessions.get(token("b"));
			// once for all sessions of the list
			expect(looked).toHaveLength(1);
			// its user is gone
			users.length = 0;
			await sessions.get(LIST);
			expect(await sessions.get(token("b"))).toBeNull();
			tenant.id = "globex";
			expect(await sessions.get(token("a"))).toBeNull();
		});
		tenant.id = "acme";
		await inRequest(async () => expect(await sessions.get(token("a"))).toBeNull());
		await sessions.get(LIST);
		expect(await sessions.get(token("a"))).toBeNull();
	});

	// one of them may have ended since it was read
	it("are not copied back into the storage", async () => {
		const { sessions, called } = create({}, ["a", "b"]);
		await inRequest(async () => {
			await sessions.get(LIST);
			await sessions.get(token("a"));
			await sessions.get(LIST);
			await sessions.set(token("a"), "changed", 60);
			await sessions.set(token("b"), "changed", 60);
			await sessions.set("other", "value", 60);
		});
		expect(called).toEqual([`delete ${token("a")}`, `set ${token("b")} changed 60`, "set other value 60"]);
	});

	it("are forgotten when they end, or when the storage has them", async () => {
		const stored: Record<string, unknown> = {};
		const { sessions, called } = create(stored, ["a", "b"]);
		await inRequest(async () => {
			await sessions.get(LIST);
			await sessions.delete(token("a"));
			expect(await sessions.get(token("a"))).toBeNull();
			await sessions.get(token("b"));
			stored[token("b")] = "stored";
			await sessions.get(token("b"));
			await sessions.set(token("b"), "changed", 60);
		});
		await sessions.delete("other");
		await sessions.set("other", "value", 60);
		expect(called).toEqual([
			`delete ${token("a")}`,
			`set ${token("b")} changed 60`,
			"delete other",
			"set other value 60",
		]);
	});

	it("are checked in the database while the storage is down, and nothing else is served", async () => {
		const { sessions, failing } = create({}, ["a"]);
		const down = new Error("connection lost");
		failing.error = down;
		expect(await at(SESSION_CHECK, async () => sessions.get(token("a")))).toBeNull();
		await expect(at("/update-user", async () => sessions.get(token("a")))).rejects.toBe(down);
		await expect(sessions.get(token("a"))).rejects.toBe(down);
		await expect(at(SESSION_CHECK, async () => sessions.get(LIST))).rejects.toBe(down);
		failing.error = new APIError("CONFLICT");
		await expect(at(SESSION_CHECK, async () => sessions.get(token("a")))).rejects.toBe(failing.error);
	});
});

describe("cookies that were signed again", () => {
	const NAMES = { sessionToken: "session", dontRememberToken: "temporary" };
	const ATTRIBUTES = { path: "/", maxAge: 604_800 };
	const renew = async (
		more: {
			session?: object | null;
			query?: object;
			sent?: Record<string, string>;
			again?: string[];
			set?: string[];
		} = {},
	) => {
		const { sent = { session: "token" }, again = ["session"], query, set = [] } = more;
		const session =
			more.session === undefined ? { token: "token", expiresAt: new Date(Date.now() + 600_500) } : more.session;
		const written: unknown[] = [];
		const context = {
			...noted({ reSigned: again }),
			secret: "secret",
			session: session && { session },
			responseHeaders: new Headers(set.map((cookie) => ["set-cookie", cookie] as [string, string])),
			authCookies: {
				sessionToken: { name: NAMES.sessionToken, attributes: ATTRIBUTES },
				dontRememberToken: { name: NAMES.dontRememberToken, attributes: { path: "/temporary" } },
				sessionData: { name: "data", attributes: {} },
				accountData: { name: "account", attributes: {} },
			},
			createAuthCookie: (name: string) => ({ name, attributes: {} }),
			hasPlugin: () => false,
			getPlugin: () => null,
			options: {},
		};
		await renewCookies({
			query,
			context,
			getSignedCookie: async (name: string, secret: string) => (secret === "secret" ? (sent[name] ?? null) : null),
			setSignedCookie: async (name: string, value: string, _secret: string, attributes: object) =>
				void written.push([name, value, attributes]),
		} as never);
		return written;
	};

	it("are sent again, and last no longer than the session", async () => {
		expect(await renew()).toEqual([["session", "token", { path: "/", maxAge: 600 }]]);
		const both = { session: "token", temporary: "true" };
		expect(await renew({ sent: both, again: ["session", "temporary"] })).toEqual([
			["session", "token", { path: "/" }],
			["temporary", "true", { path: "/temporary" }],
		]);
		expect(await renew({ again: ["missing"] })).toEqual([]);
	});

	it("stay as they are without a session, with another one, or if it was renewed", async () => {
		for (const more of [
			{ session: null },
			{ query: { disableRefresh: true } },
			{ sent: { session: "other" } },
			{ session: { token: "token", expiresAt: new Date(Date.now() - 1) } },
			{ set: ["other=x", "session=x"] },
			{ again: [] },
		])
			expect(await renew(more)).toEqual([]);
		expect(await renew({ set: ["other=session=x"], query: { disableRefresh: false } })).toHaveLength(1);
	});

	it("are sent again only with the session", () => {
		const steps = afterSteps(
			createTenantContext(),
			createResponseFloor(() => PLATFORM),
		);
		const may = (path: string, context: object) =>
			mayRenewCookies({ context } as never) && steps(path).some(({ matcher }) => matcher === mayRenewCookies);
		expect(may("/get-session", noted({ reSigned: ["session"] }))).toBe(true);
		for (const [path, context] of [
			["/get-session", noted({ reSigned: [] })],
			["/get-session", {}],
			["/update-user", noted({ reSigned: ["session"] })],
		] as const)
			expect(may(path, context)).toBe(false);
	});
});

describe("a signing key", () => {
	const createKey = (tenant: string, scope: object | null, model = "jwks") => {
		const methods = guardSigningKeys(
			{ current: () => tenant } as never,
			(name) => name === "jwks",
		)({ create: async () => "created" } as never);
		const create = async () => methods.create({ model, data: {} });
		return scope ? runWithEndpointContext({ context: scope } as never, create) : create();
	};

	// threat 53
	it("is created with the secret of its own tenant only", async () => {
		for (const tenant of ["acme", "globex"])
			expect(await createKey(tenant, noted({ tenantId: tenant }))).toBe("created");
		expect(await createKey(PLATFORM, {})).toBe("created");
		expect(await createKey("acme", null)).toBe("created");
		await expect(createKey("acme", noted({ tenantId: "globex" }))).rejects.toThrow("another tenant's secret");
		await expect(createKey("acme", {})).rejects.toThrow("another tenant's secret");
		expect(await createKey("acme", noted({ tenantId: "globex" }), "user")).toBe("created");
	});
});

describe("the keys of a storage", () => {
	const all = async (pages: AsyncIterable<string[]> | null): Promise<string[][]> => {
		const found: string[][] = [];
		for await (const page of pages ?? []) found.push(page);
		return found;
	};
	const KEYS = ["tenant:acme:1", "tenant:acme-2:1", "x:tenant:acme:1", "other"];

	it("are found by a scan, or in the list of all, and filtered again", async () => {
		const scanKeys = async function* () {
			yield KEYS;
			yield ["other"];
			yield ["tenant:acme:2"];
		};
		expect(await all(findKeys({ scanKeys } as never, "tenant:acme:"))).toEqual([["tenant:acme:1"], ["tenant:acme:2"]]);
		expect(await all(findKeys({ listKeys: async () => KEYS } as never, "tenant:acme:"))).toEqual([["tenant:acme:1"]]);
		for (const storage of [{}, { scanKeys: true }, { listKeys: [] }])
			expect(findKeys(storage as never, "tenant:acme:")).toBeNull();
	});

	it("are found in Redis page by page, with every prefix", async () => {
		const asked: unknown[] = [];
		const pages: [string, string[]][] = [
			["7", ["own:a*b:tenant:acme:1", "own:a*b:tenant:acme"]],
			["9", ["elsewhere"]],
			["0", ["own:a*b:tenant:acme:2"]],
		];
		const client = {
			scan: async (...given: unknown[]) => {
				asked.push(given);
				return pages[asked.length - 1] ?? ["0", []];
			},
			options: { keyPrefix: "own:" },
		};
		const storage = withKeyScan((config: object) => ({ config }), { client: client as never, keyPrefix: "a*b:" });
		expect(await all(storage.scanKeys("tenant:acme:"))).toEqual([["tenant:acme:1"], ["tenant:acme:2"]]);
		expect(asked).toEqual(
			["0", "7", "9"].map((cursor) => [cursor, "MATCH", "own:a\\*b:tenant:acme:*", "COUNT", 1_000]),
		);
		expect(storage).toMatchObject({ config: { keyPrefix: "a*b:" } });
		asked.length = 0;
		const bare = withKeyScan((config: object) => ({ config }), { client: { scan: client.scan } as never });
		await all(bare.scanKeys("x"));
		expect(asked[0]).toEqual(["0", "MATCH", "better-auth:x*", "COUNT", 1_000]);
		expect(bare).toMatchObject({ config: { keyPrefix: "better-auth:" } });
	});
});

describe("smaller parts", () => {
	it("rewrite the errors of functions, and leave everything else", async () => {
		const functions = {
			fails: async () => Promise.reject(new Error("x")),
			throws: () => {
				throw new Error("y");
			},
			adds: async (a: number, b: number) => a + b,
			name: "z",
		};
		const rewritten = rewritingErrors(
			functions,
			async (error, name) => new Error(`${name}: ${(error as Error).message}`),
		);
		await expect(rewritten.fails()).rejects.toThrow("fails: x");
		await expect((async () => rewritten.throws())()).rejects.toThrow("throws: y");
		expect(await rewritten.adds(1, 2)).toBe(3);
		expect(rewritten.name).toBe("z");
	});

	it("know tenantLifecycle() by its column", () => {
		expect(hasLifecycle({ tenant: { fields: { sessionsSince: {} } } } as never)).toBe(true);
		expect(hasLifecycle({ tenant: { fields: {} } } as never)).toBe(false);
		expect(hasLifecycle({} as never)).toBe(false);
	});
});
