import { createHash } from "node:crypto";
import { bearer, jwt } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, type WorldOptions } from "test-kit/world";
import { describe, expect, it, vi } from "vitest";
import { tenantAuth, withTenants } from "../../src/index.ts";
import { bearing, createImpersonable, EMAIL, REASON } from "./impersonating.ts";

const STORES: [string, WorldOptions][] = [
	["SQLite", {}],
	["PostgreSQL", { database: "postgres" }],
	["MariaDB", { database: "mysql" }],
	["PostgreSQL with sessions in Redis alone", { database: "postgres", redis: true }],
	[
		"PostgreSQL with sessions in Redis and in the database",
		{ database: "postgres", redis: true, engine: { session: { storeSessionInDatabase: true } } },
	],
	["a cookie cache", { engine: { session: { cookieCache: { enabled: true, maxAge: 300 } } } }],
];

const keyName = `key:${createHash("sha256").update(MANAGEMENT_KEY).digest("hex").slice(0, 12)}`;

describe.each(STORES)("impersonating a user on %s", (_name, options) => {
	it("gives a key's holder a session as that user: the token alone, marked and short", async () => {
		const { world, a, ada, adaId, impersonate } = await createImpersonable({ ...options, plugins: [bearer()] });
		const answer = await impersonate();
		expect(answer.status).toBe(200);
		expect(Object.keys(answer.json).sort()).toEqual(["session", "token", "user"]);
		expect(answer.json.user).toMatchObject({ id: adaId, email: EMAIL, tenantId: a });
		expect(answer.json.session).toMatchObject({ userId: adaId, tenantId: a, operatorId: keyName, ipAddress: "" });
		const life = Date.parse(answer.json.session.expiresAt) - Date.now();
		expect(life).toBeGreaterThan(890_000);
		expect(life).toBeLessThanOrEqual(900_000);
		expect(answer.headers.getSetCookie()).toEqual([]);
		expect(answer.headers.get("cache-control")).toBe("no-store");

		const seen = await world.call("/get-session", bearing(answer.json.token));
		expect(seen.json).toMatchObject({ user: { id: adaId }, session: { operatorId: keyName } });
		// Ada sees it among her sessions, and hers say that nobody impersonates her
		const listed = (await world.call("/list-sessions", { browser: ada })).json as Record<string, unknown>[];
		expect(listed.map(({ operatorId }) => operatorId ?? null).sort()).toEqual([keyName, null].sort());
	});

	it("moves an operator's browser into the tenant by cookie, and out of it when he signs out", async () => {
		// the operator's own session is due for a refresh whenever it is used
		const session = { ...options.engine?.session, updateAge: 0 };
		const { world, a, adaId, operator, operatorId, impersonate } = await createImpersonable({
			...options,
			engine: { ...options.engine, session },
		});
		const browser = operator.copy();
		const answer = await impersonate({ browser });
		expect([answer.status, answer.json.session.operatorId]).toEqual([200, `user:${operatorId}`]);
		const cookie = answer.headers.getSetCookie().filter((line) => line.startsWith("better-auth.session_token="));
		expect(cookie).toHaveLength(1);
		expect(cookie[0]).toContain("Max-Age=900");
		for (let time = 0; time < 2; time += 1) {
			const seen = await world.call("/get-session", { browser });
			expect(seen.json).toMatchObject({ user: { id: adaId, tenantId: a }, session: { tenantId: a } });
			expect(seen.json.session.operatorId).toBe(`user:${operatorId}`);
		}
		expect((await world.call("/sign-out", { browser, body: {} })).status).toBe(200);
		const spent = new Browser();
		spent.cookies.set("better-auth.session_token", cookie[0]?.split(/[=;]/)[1] ?? "");
		expect((await world.call("/get-session", { browser: spent })).json).toBeNull();
		// his own session is where he left it
		expect((await world.call("/get-session", { browser: operator })).json.user.id).toBe(operatorId);
	});

	it("ends when it was said to end, however often it is used", async () => {
		const { world, ada, operator, impersonate } = await createImpersonable({
			...options,
			plugins: [bearer()],
			engine: { ...options.engine, session: { ...options.engine?.session, updateAge: 0 } },
			management: { impersonation: { maxAge: 120 } },
		});
		const browser = operator.copy();
		const { token } = (await impersonate()).json;
		const ends = (await impersonate({ browser })).json.session.expiresAt;
		const [held, byCookie] = [bearing(token), { browser }];
		vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
		try {
			for (let second = 0; second < 110; second += 10) {
				vi.advanceTimersByTime(10_000);
				expect((await world.call("/get-session", held)).json.session.token).toBe(token);
				const seen = await world.call("/get-session", byCookie);
				expect(seen.json.session.expiresAt).toBe(ends);
				const renewed = seen.headers.getSetCookie().find((line) => line.startsWith("better-auth.session_token="));
				expect(renewed).toBeUndefined();
			}
			vi.advanceTimersByTime(11_000);
			expect((await world.call("/get-session", held)).json).toBeNull();
			expect((await world.call("/get-session", byCookie)).json).toBeNull();
			expect((await world.call("/get-session", { browser: ada })).json.user.email).toBe(EMAIL);
		} finally {
			vi.useRealTimers();
		}
	});

	it("gives each of twenty parallel impersonations a session of its own, and Ada ends one without the others", async () => {
		const { world, ada, impersonate } = await createImpersonable({ ...options, plugins: [bearer()] });
		const tokens = (await Promise.all(Array.from({ length: 20 }, () => impersonate()))).map(({ json }) => json.token);
		expect(new Set(tokens).size).toBe(20);
		const [first = "", second = ""] = tokens;
		expect((await world.call("/revoke-session", { browser: ada, body: { token: first } })).status).toBe(200);
		expect((await world.call("/get-session", bearing(first))).json).toBeNull();
		expect((await world.call("/get-session", bearing(second))).json.session.token).toBe(second);
	});
});

describe("impersonating a user", () => {
	it("is there for server code, which says itself whom it acts for", async () => {
		const { world, a, adaId, entries } = await createImpersonable();
		const impersonated = await world.auth.api.impersonateTenantUser({
			body: { tenantId: a, userId: adaId, reason: REASON },
		});
		expect(impersonated.session).toMatchObject({ operatorId: "server" });
		expect(entries.at(-1)).toMatchObject({ actor: { kind: "server" }, outcome: "allowed" });
	});

	it("is a missing thing unless it is turned on, and nobody is asked anything", async () => {
		const asked: unknown[] = [];
		const audit = (entry: unknown) => void asked.push(entry);
		const { impersonate, operator } = await createImpersonable({
			management: { audit, impersonation: undefined } as never,
		});
		asked.length = 0;
		for (const call of [{ operator: true }, { browser: operator }, {}]) {
			const answer = await impersonate(call);
			expect([answer.status, answer.code]).toEqual([404, "IMPERSONATION_DISABLED"]);
		}
		expect(asked).toEqual([]);
	});

	it("refuses to start without an audit, and with a life or a path that is none", () => {
		const audit = () => {};
		expect(() => tenantAuth({ management: { impersonation: {} } })).toThrow(/management\.audit/);
		for (const maxAge of [0, -1, 1.5, 3601, Number.NaN])
			expect(() => tenantAuth({ management: { audit, impersonation: { maxAge } } })).toThrow(/impersonation\.maxAge/);
		for (const path of ["", "organization/list", "/*", "/organization/*"])
			expect(() => tenantAuth({ management: { audit, impersonation: { allow: [path] } } })).toThrow(
				/impersonation\.allow/,
			);
		tenantAuth({ management: { audit, impersonation: { maxAge: 3600, allow: ["/list-accounts"] } } });
	});

	it("wants a reason of one line, and hands it to nobody but the audit", async () => {
		const { world, entries, impersonate } = await createImpersonable();
		for (const reason of ["", "   ", "x".repeat(501), "two\nlines", "\u0000", 7, null, undefined])
			expect([reason, (await impersonate(undefined, { reason })).status]).toEqual([reason, 400]);
		expect(entries).toEqual([]);
		const answer = await impersonate(undefined, { reason: `  ${"x".repeat(500)} ` });
		expect(answer.status).toBe(200);
		expect(answer.text).not.toContain("xxx");
		expect(entries[0]?.reason).toBe("x".repeat(500));
		const stored = await world.database.query('select * from "session"');
		expect(JSON.stringify(stored)).not.toContain("xxx");
	});

	it("lets an impersonated session call what the application allows besides", async () => {
		const { world, impersonate } = await createImpersonable({
			plugins: [bearer()],
			management: { impersonation: { allow: ["/list-accounts"] } },
		});
		const impersonated = bearing((await impersonate()).json.token);
		expect((await world.call("/list-accounts", impersonated)).status).toBe(200);
		expect((await world.call("/list-sessions", impersonated)).code).toBe("IMPERSONATION_NOT_ALLOWED");
	});

	it("gets no JWT of its own life with its session, while Ada gets hers", async () => {
		const entries: unknown[] = [];
		const world = await createWorld({
			allPlugins: withTenants(
				{ management: { keys: [MANAGEMENT_KEY], audit: (entry) => void entries.push(entry), impersonation: {} } },
				[bearer(), jwt()],
			),
		});
		const tenantId = await world.newTenant();
		const ada = await world.signUp(tenantId, EMAIL);
		const hers = await world.call("/get-session", { browser: ada });
		expect(hers.headers.get("set-auth-jwt")).toMatch(/^ey/);
		const body = { tenantId, userId: hers.json.user.id, reason: REASON };
		const { token } = (await world.call("/tenant/impersonate", { operator: true, body })).json;
		const seen = await world.call("/get-session", bearing(token));
		expect(seen.json.user.id).toBe(hers.json.user.id);
		expect(seen.headers.get("set-auth-jwt")).toBeNull();
		expect((await world.call("/token", bearing(token))).code).toBe("IMPERSONATION_NOT_ALLOWED");
	});
});
