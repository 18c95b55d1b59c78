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
	it("returns a short-lived, marked session for a management key, and sets no cookies", async () => {
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
		// Ada finds it in her list of sessions; her own session has no `operatorId`
		const listed = (await world.call("/list-sessions", { browser: ada })).json as Record<string, unknown>[];
		expect(listed.map(({ operatorId }) => operatorId ?? null).sort()).toEqual([keyName, null].sort());
	});

	it("sets the session cookie in an operator's browser, and sign-out ends the session", async () => {
		// refreshes the operator's own session on every use
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
		// the operator's own session still works
		expect((await world.call("/get-session", { browser: operator })).json.user.id).toBe(operatorId);
	});

	it("expires at the stated time, even if it is in use", async () => {
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

	it("creates one session for each of 20 parallel impersonations, and its user can revoke each alone", async () => {
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
	it("is available to server code, and records `server` as the operator", async () => {
		const { world, a, adaId, entries } = await createImpersonable();
		const impersonated = await world.auth.api.impersonateTenantUser({
			body: { tenantId: a, userId: adaId, reason: REASON },
		});
		expect(impersonated.session).toMatchObject({ operatorId: "server" });
		expect(entries.at(-1)).toMatchObject({ actor: { kind: "server" }, outcome: "allowed" });
	});

	it("returns 404 unless it is turned on, and audits nothing", async () => {
		const audited: unknown[] = [];
		const audit = (entry: unknown) => void audited.push(entry);
		const { impersonate, operator } = await createImpersonable({
			management: { audit, impersonation: undefined } as never,
		});
		audited.length = 0;
		for (const call of [{ operator: true }, { browser: operator }, {}]) {
			const answer = await impersonate(call);
			expect([answer.status, answer.code]).toEqual([404, "IMPERSONATION_DISABLED"]);
		}
		expect(audited).toEqual([]);
	});

	it("refuses to start without `audit`, or with an invalid `maxAge` or path", () => {
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

	it("requires a reason of one line, and passes it only to `audit`", async () => {
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

	it("lets an impersonated session call the paths in `allow`", async () => {
		const { world, impersonate } = await createImpersonable({
			plugins: [bearer()],
			management: { impersonation: { allow: ["/list-accounts"] } },
		});
		const impersonated = bearing((await impersonate()).json.token);
		expect((await world.call("/list-accounts", impersonated)).status).toBe(200);
		expect((await world.call("/list-sessions", impersonated)).code).toBe("IMPERSONATION_NOT_ALLOWED");
	});

	it("returns no JWT, which would outlive the session; the user still gets one", async () => {
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
