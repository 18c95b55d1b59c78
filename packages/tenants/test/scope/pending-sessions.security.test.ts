import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { runWithEndpointContext, runWithRequestState } from "@better-auth/core/context";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { getShouldSkipSessionRefresh } from "better-auth/api";
import { describe, expect, it } from "vitest";
import type { SessionProof } from "../../src/endpoints/endpoint.ts";
import type { Lacking } from "../../src/scope/pin/dispatch.ts";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { newImpersonationToken } from "../../src/scope/sessions/impersonated-session.ts";
import { createPendingSessions, type Judge, pendingOf } from "../../src/scope/sessions/pending-sessions.ts";
import { newSessionToken } from "../../src/scope/sessions/session-proof.ts";

const HOUR = 3_600_000;
const REFUSED = { body: { code: "SECOND_FACTOR_REQUIRED" } };

/** Users with a second factor must verify it, and others must set one up. */
const judge: Judge = ({ user, proof }) =>
	proof === "second-factor" ? null : user.twoFactorEnabled ? "verify" : "enroll";

const sessionOf = (token: string, more: object = {}) =>
	({ token, userId: "ada", expiresAt: new Date(Date.now() + HOUR), ...more }) as never as NonNullable<
		AuthContext["session"]
	>["session"];
const foundOf = (token: string, lacks: Lacking = "enroll", more: object = {}) =>
	({
		session: sessionOf(token, more),
		user: { id: "ada", twoFactorEnabled: lacks === "verify" },
	}) as never as NonNullable<AuthContext["session"]>;

const lacking = newSessionToken("acme", null);
const complete = newSessionToken("acme", "second-factor");

/** Only acme requires a second factor. */
const createPending = (tenant = "acme", user: object | null = { id: "ada" }, rule = true) => {
	const asked: unknown[] = [];
	const findOne = async (query: unknown) => {
		asked.push(query);
		return user;
	};
	const pending = createPendingSessions({ current: () => tenant }, { findOne } as never as DBAdapter);
	if (rule)
		pending.use({
			ruleFor: async (tenantId) => (tenantId === "acme" ? { judge, trustsDevices: false } : null),
			maxAge: 600,
		});
	return { pending, asked };
};

/** The context of an endpoint in which these sessions are stored. */
const before = async (
	path: string,
	found: object | null = null,
	{ tenant = "acme", rule = true, ...more }: Record<string, unknown> = {},
) => {
	const { pending } = createPending(String(tenant), {}, Boolean(rule));
	const context = {
		options: { session: { cookieCache: { enabled: true } } },
		session: null,
		newSession: null,
		internalAdapter: {
			findSession: async () => found,
			findSessions: async (tokens: string[]) => tokens.map((token) => foundOf(token)),
			other: true,
		},
		...more,
	} as never as AuthContext;
	await runWithRequestState(new WeakMap(), () =>
		pending.before({ path, context } as GenericEndpointContext, String(tenant)),
	);
	return context;
};

describe("a session that lacks a second factor", () => {
	it("is found by no endpoint, and is remembered", async () => {
		for (const lacks of ["verify", "enroll"] as const) {
			const context = await before("/update-user", foundOf(lacking, lacks));
			expect(pendingOf(context)).toEqual({ met: null, isRefused: false, created: null });
			await expect(context.internalAdapter.findSession(lacking)).rejects.toMatchObject({
				...REFUSED,
				status: "UNAUTHORIZED",
			});
			expect(pendingOf(context)).toMatchObject({
				met: { lacks, session: { token: lacking } },
				isRefused: true,
				created: null,
			});
			expect(context.internalAdapter).toMatchObject({ other: true });
		}
	});

	it("keeps its cookie when a session is checked", async () => {
		const context = await before("/get-session", foundOf(lacking));
		await expect(context.internalAdapter.findSession(lacking)).rejects.toMatchObject({ ...REFUSED, status: "OK" });
	});

	it("can set a second factor up, if its user has none", async () => {
		const enroll = await before("/two-factor/enable", foundOf(lacking, "enroll"));
		expect(await enroll.internalAdapter.findSession(lacking)).toMatchObject({ session: { token: lacking } });
		expect(pendingOf(enroll)).toMatchObject({ met: { lacks: "enroll" }, isRefused: false });
		const verify = await before("/two-factor/enable", foundOf(lacking, "verify"));
		await expect(verify.internalAdapter.findSession(lacking)).rejects.toMatchObject(REFUSED);
	});

	it.each([
		["proves one", foundOf(complete)],
		["has ended", foundOf(lacking, "enroll", { expiresAt: new Date(Date.now() - 1) })],
		["is impersonated", foundOf(newImpersonationToken("acme"))],
		["has the token of another tenant, as an API key in its place", foundOf(newSessionToken("globex", null))],
		["does not exist", null],
	])("is none if it %s", async (_name, found) => {
		const context = await before("/update-user", found);
		expect(await context.internalAdapter.findSession("any")).toBe(found);
		expect(pendingOf(context)).toEqual({ met: null, isRefused: false, created: null });
	});

	it("is none on the platform, in other tenants, and without a rule", async () => {
		for (const more of [{ tenant: PLATFORM }, { tenant: "globex" }, { rule: false }]) {
			const found = foundOf(newSessionToken(String(more.tenant ?? "acme"), null));
			const context = await before("/update-user", found, more);
			expect(await context.internalAdapter.findSession("any")).toBe(found);
			expect(pendingOf(context)).toBeUndefined();
		}
	});

	it("is not listed", async () => {
		const context = await before("/list-sessions");
		const listed = await context.internalAdapter.findSessions([lacking, complete]);
		expect(listed.map(({ session }) => session.token)).toEqual([complete]);
	});

	it("is not handed on, nor turned into other credentials", async () => {
		expect((await before("/update-user", null, { session: foundOf(lacking) })).session).toBeNull();
		expect((await before("/update-user", null, { session: foundOf(complete) })).session).not.toBeNull();
		const context = await before("/sign-in/email");
		context.newSession = foundOf(lacking, "verify");
		expect(context.newSession).toBeNull();
		expect(pendingOf(context)?.created).toMatchObject({ lacks: "verify", session: { token: lacking } });
		context.newSession = foundOf(complete);
		expect(context.newSession).toMatchObject({ session: { token: complete } });
		expect(pendingOf(context)?.created).toBeNull();
		context.newSession = null;
		expect(context.newSession).toBeNull();
	});

	it("is read from no cache", async () => {
		const cacheOf = async (path: string) => (await before(path)).options.session?.cookieCache;
		const cache = await cacheOf("/update-user");
		const versionFor = async ({ session, user }: NonNullable<AuthContext["session"]>) =>
			typeof cache?.version === "function" ? cache.version(session as never, user as never) : cache?.version;
		expect(await versionFor(foundOf(complete))).toBe("1");
		expect(await versionFor(foundOf(lacking))).not.toBe("1");
		expect(cache?.enabled).toBe(true);
		// a cached user may not have the second factor that they set up meanwhile
		expect((await cacheOf("/two-factor/enable"))?.enabled).toBe(false);
		const uncached = { options: { session: { cookieCache: { enabled: false } } } };
		expect((await before("/two-factor/enable", null, uncached)).options).toEqual(uncached.options);
	});

	it("is not extended while it sets a second factor up", async () => {
		const skips = (path: string) =>
			runWithRequestState(new WeakMap(), async () => {
				const { pending } = createPending();
				const context = { options: {}, session: null, newSession: null, internalAdapter: {} };
				await pending.before({ path, context } as never, "acme");
				return getShouldSkipSessionRefresh();
			});
		expect([Boolean(await skips("/two-factor/enable")), Boolean(await skips("/update-user"))]).toEqual([true, false]);
	});

	it("is forgotten when an endpoint calls another one", async () => {
		const context = await before("/update-user", foundOf(lacking));
		const { pending } = createPending("globex");
		await pending.before({ path: "/update-user", context } as GenericEndpointContext, "globex");
		expect(pendingOf(context)).toBeUndefined();
	});

	it("is left out of the sessions of its user", async () => {
		const sessions = [sessionOf(lacking), sessionOf(complete), sessionOf(newImpersonationToken("acme"))];
		const { pending, asked } = createPending();
		expect(await pending.completeOnly("ada", sessions)).toEqual(sessions.slice(1));
		expect(asked).toEqual([{ model: "user", where: [{ field: "id", value: "ada" }] }]);
		// a user who is gone has proven nothing
		expect(await createPending("acme", null).pending.completeOnly("ada", sessions)).toEqual(sessions.slice(2));
		expect(await createPending("globex").pending.completeOnly("ada", sessions)).toBe(sessions);
	});

	it("lasts no longer than the rule says", async () => {
		const created = async (token: string, tenant = "acme", lasts = HOUR) => {
			const session = sessionOf(token, { expiresAt: new Date(Date.now() + lasts) });
			return createPending(tenant).pending.onCreate(session as never);
		};
		const { expiresAt } = await created(lacking);
		expect(Math.abs((expiresAt?.getTime() ?? 0) - Date.now() - 600_000)).toBeLessThan(10_000);
		expect(await created(lacking, "acme", 60_000)).toEqual({});
		expect(await created(complete)).toEqual({});
		expect(await created(newSessionToken("globex", null), "globex")).toEqual({});
		expect(await createPending("acme", {}, false).pending.onCreate(sessionOf(lacking) as never)).toEqual({});
	});

	it("lacks it for whoever asks, also if it is gone", async () => {
		const lacks = (tenant: string, held: object | null, user: object = { id: "ada" }) =>
			createPending().pending.lacksFactor(tenant, user as never, async () => held as never);
		expect(await lacks("acme", sessionOf(lacking))).toBe(true);
		expect(await lacks("acme", null)).toBe(true);
		expect(await lacks("acme", sessionOf(complete))).toBe(false);
		expect(await lacks("globex", null)).toBe(false);
	});
});

describe("what a new session has proven", () => {
	const proofIn = (
		path: string,
		{
			token,
			body,
			tenant = "acme",
			rule = true,
			userId = "ada",
		}: { token?: string; body?: object; tenant?: string; rule?: boolean; userId?: string } = {},
	) => {
		const { pending } = createPending(tenant, {}, rule);
		const session = token && { session: sessionOf(token, { userId, expiresAt: new Date(Date.now() + 60_000) }) };
		const ctx = { path, body, context: { session } };
		return runWithEndpointContext(ctx as never, async () => ({
			proof: pending.currentProof(),
			ends: (await pending.onCreate(sessionOf(lacking) as never)).expiresAt,
		}));
	};
	const proof = async (...given: Parameters<typeof proofIn>): Promise<SessionProof | null> =>
		(await proofIn(...given)).proof;
	const [impersonated, sso] = [newSessionToken("acme", "impersonation"), newSessionToken("acme", "sso")];

	it("is what its endpoint proves", async () => {
		expect(await proof("/two-factor/verify-totp")).toBe("second-factor");
		expect(await proof("/admin/impersonate-user")).toBe("impersonation");
		expect(await proof("/sign-in/email")).toBeNull();
		expect(createPending().pending.currentProof()).toBeNull();
		for (const more of [{ tenant: PLATFORM }, { rule: false }])
			expect(await proof("/two-factor/verify-totp", more)).toBeNull();
	});

	it("is what the session before it had proven, if the endpoint renews it", async () => {
		expect(await proof("/change-password", { token: sso })).toBe("sso");
		expect(await proof("/change-password", { token: lacking })).toBeNull();
		expect(await proof("/sign-in/email", { token: sso })).toBeNull();
	});

	it("is never the factor of a user whom an administrator impersonates", async () => {
		expect(await proof("/two-factor/verify-totp", { token: impersonated })).toBe("impersonation");
		expect(await proof("/two-factor/verify-totp", { token: sso })).toBe("second-factor");
		expect(await proof("/admin/impersonate-user", { token: impersonated })).toBe("impersonation");
	});

	it("is a passkey only if that verified its user", async () => {
		const withFlags = (flags: number) => ({
			response: { response: { authenticatorData: btoa(String.fromCharCode(...new Array(32).fill(0), flags)) } },
		});
		const at = (flags: number) => proof("/passkey/verify-authentication", { body: withFlags(flags) });
		expect([await at(0b101), await at(0b001)]).toEqual(["passkey", null]);
	});

	it("ends a session in place of an impersonated one with that one", async () => {
		const minutes = async (path: string, more: object = { token: impersonated }) => {
			const { ends } = await proofIn(path, more);
			return ends && Math.round((ends.getTime() - Date.now()) / 60_000);
		};
		for (const path of ["/two-factor/verify-totp", "/change-password"])
			expect([path, await minutes(path)]).toEqual([path, 1]);
		// the session of somebody else, or one that nobody impersonates, is shortened as any other
		expect(await minutes("/sign-in/email")).toBe(10);
		expect(await minutes("/change-password", { token: impersonated, userId: "grace" })).toBe(10);
		expect(await minutes("/change-password", { token: sso })).toBe(10);
	});
});
