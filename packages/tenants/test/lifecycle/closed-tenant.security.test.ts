import { apiKey } from "@better-auth/api-key";
import { runWithTransaction } from "@better-auth/core/context";
import { betterAuth } from "better-auth";
import { bearer, jwt, magicLink, multiSession, oneTimeToken } from "better-auth/plugins";
import type { Browser } from "test-kit/browser";
import { ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { fromSubdomain } from "../../src/resolvers.ts";
import { lifecycleWorld } from "./support/lifecycle-world.ts";

const CLOSED = { status: 403, code: "TENANT_SUSPENDED" };
const strategies = ["compact", "jwt", "jwe"] as const;

const tokenOf = (browser: Browser): string =>
	decodeURIComponent([...browser.cookies].find(([name]) => name.endsWith("session_token"))?.[1] ?? "");

describe("a suspended tenant", () => {
	// threat 107
	it.each(strategies)("serves no request, by header, cookie, cache %s, bearer token, link or key", async (strategy) => {
		const sent: { url: string; token: string }[] = [];
		const world = await lifecycleWorld(
			[
				bearer(),
				jwt(),
				multiSession(),
				oneTimeToken(),
				apiKey({ enableSessionForAPIKeys: true }),
				magicLink({ sendMagicLink: async (mail) => void sent.push(mail) }),
			],
			{ engine: { session: { cookieCache: { enabled: true, maxAge: 300, strategy } } } },
		);
		const { a, b } = world;
		/** Everything that a user of a tenant can hold. */
		const holdings = async (tenant: string) => {
			const browser = await world.signUp(tenant, "ada@example.com");
			await world.call("/send-verification-email", { browser, body: { email: "ada@example.com" } });
			await world.call("/request-password-reset", { tenant, body: { email: "ada@example.com", redirectTo: "/reset" } });
			await world.call("/sign-in/magic-link", { tenant, body: { email: "ada@example.com" } });
			const once = await world.call("/one-time-token/generate", { browser });
			const key = await world.call("/api-key/create", { browser, body: { name: "ci" } });
			const started = await world.call("/token", { browser });
			return {
				browser,
				verify: world.lastMail("verify").token,
				reset: world.lastMail("reset").token,
				magic: sent.at(-1)?.token ?? "",
				once: String(once.json.token),
				key: String(key.json.key),
				jwt: String(started.json.token),
			};
		};
		const [mine, theirs] = [await holdings(a), await holdings(b)];
		// the first proof of an address would end the others
		await world.database.query('update "user" set "emailVerified" = 1');
		const requests = (tenant: string, held: typeof mine) => {
			const { browser } = held;
			const signIn = { email: "ada@example.com", password: PASSWORD };
			return {
				"sign-in": () => world.call("/sign-in/email", { tenant, body: signIn }),
				"tenant sign-in": () => world.call("/tenant/sign-in/email", { body: { tenantId: tenant, ...signIn } }),
				"sign-up": () =>
					world.call("/sign-up/email", { tenant, body: { ...signIn, name: "Eve", email: "eve@example.com" } }),
				session: () => world.call("/get-session", { browser: browser.copy() }),
				"session by header": () => world.call("/get-session", { browser: browser.copy(), tenant }),
				"list of sessions": () => world.call("/list-sessions", { browser: browser.copy() }),
				bearer: () =>
					world.call("/get-session", { headers: { authorization: `Bearer ${tokenOf(browser).split(".")[0]}` } }),
				"signed bearer": () =>
					world.call("/get-session", { headers: { authorization: `Bearer ${encodeURIComponent(tokenOf(browser))}` } }),
				token: () => world.call("/token", { browser: browser.copy() }),
				"key set": () => world.call("/jwks", { query: { tenantId: tenant } }),
				methods: () => world.call("/tenant/methods", { query: { tenantId: tenant } }),
				current: () => world.call("/tenant/current", { browser: browser.copy(), tenant }),
				"api key": () => world.call("/get-session", { headers: { "x-api-key": held.key } }),
				"verification link": () => world.call("/verify-email", { query: { token: held.verify } }),
				"reset link": () => world.call(`/reset-password/${held.reset}`, { query: { callbackURL: "/reset" } }),
				"new password": () =>
					world.call("/reset-password", { body: { newPassword: `${PASSWORD}!`, token: held.reset } }),
				"magic link": () => world.call("/magic-link/verify", { query: { token: held.magic } }),
				"one-time token": () => world.call("/one-time-token/verify", { body: { token: held.once } }),
				"password reset": () => world.call("/request-password-reset", { tenant, body: { email: signIn.email } }),
				"sign-out": () => world.call("/sign-out", { browser: browser.copy(), body: {} }),
				"unknown path": () => world.call("/no-such-endpoint", { tenant }),
			};
		};
		await world.suspend(a);
		for (const [name, send] of Object.entries(requests(a, mine))) {
			const answer = await send();
			// the engine's router knows no such path, whatever the tenant
			if (name === "unknown path") expect(answer.status).toBe(404);
			else expect([name, answer.status, answer.code]).toEqual([name, CLOSED.status, CLOSED.code]);
			expect(answer.text).not.toContain("unpaid");
			expect(answer.headers.getSetCookie()).toEqual([]);
		}
		// every one of them works in the neighbor, so none fails for another reason
		for (const [name, send] of Object.entries(requests(b, theirs))) {
			if (name === "sign-out") continue;
			const answer = await send();
			if (name !== "unknown path") expect([name, answer.status < 400]).toEqual([name, true]);
		}
		expect(await world.database.query(`select "id" from "user" where "email" = 'eve@example.com'`)).toHaveLength(1);
		// nothing was used up
		await world.restore(a);
		for (const name of ["session", "bearer", "token", "one-time token", "new password", "magic link"] as const) {
			const answer = await requests(a, mine)[name]();
			expect([name, answer.status < 400]).toEqual([name, true]);
		}
	});

	// threat 107
	it("gives its session no authority on the platform, and keeps operators and other tenants free of it", async () => {
		const asked: unknown[] = [];
		const world = await lifecycleWorld([], {
			tenants: {
				management: {
					authorize: ({ session, tenantId }) => {
						asked.push(session?.session.tenantId ?? null);
						return session?.session.tenantId === tenantId;
					},
				},
			},
		});
		const { a, b } = world;
		const browser = await world.signUp(a, "ada@example.com");
		const query = { id: a };
		expect((await world.call("/tenant/get", { browser: browser.copy(), query })).status).toBe(200);
		await world.suspend(a);
		const refused = await world.call("/tenant/get", { browser: browser.copy(), query });
		expect(refused.status).toBe(401);
		expect(asked).toEqual([a, null]);
		for (const verb of ["restore", "suspend", "archive"]) {
			const body = { tenantId: a, reason: "mine" };
			expect((await world.call(`/tenant/${verb}`, { browser: browser.copy(), body })).status).toBe(401);
			const own = { tenantId: b, reason: "mine" };
			const admin = await world.signUp(b, `${verb}@example.com`);
			const tried = await world.call(`/tenant/${verb}`, { browser: admin, body: own });
			expect(tried).toMatchObject({ status: 403, code: "TENANT_MANAGEMENT_NOT_ALLOWED" });
		}
		expect(await world.statusOf(a)).toBe("suspended");
		expect(await world.statusOf(b)).toBe("active");
		// a browser that still has the cookie of the suspended tenant
		const methods = await world.call("/tenant/methods", { browser: browser.copy(), query: { tenantId: b } });
		expect(methods.status).toBe(200);
		expect((await world.call("/tenant/get", { browser: browser.copy(), operator: true, query })).status).toBe(200);
		const elsewhere = browser.copy();
		await world.signUp(b, "ada@example.com");
		const body = { email: "ada@example.com", password: PASSWORD };
		expect((await world.call("/sign-in/email", { browser: elsewhere, tenant: b, body })).status).toBe(200);
		expect((await world.call("/get-session", { browser: elsewhere })).json.session.tenantId).toBe(b);
	});

	// threat 107
	it("stops server code and jobs, by id and by slug, also inside a transaction", async () => {
		const world = await lifecycleWorld([], { redis: true });
		const { auth, a, b } = world;
		const { internalAdapter, adapter } = await auth.$context;
		await world.signUp(a, "ada@example.com");
		await world.signUp(b, "ada@example.com");
		await world.suspend(a);
		const closed = { body: { code: "TENANT_SUSPENDED" } };
		const list = () => internalAdapter.listUsers(10);
		await expect(runWithTenant(a, list)).rejects.toMatchObject(closed);
		await expect(runWithTenant({ auth, slug: "acme" }, () => "not reached")).rejects.toMatchObject(closed);
		await expect(runWithTransaction(adapter, () => runWithTenant(a, list))).rejects.toMatchObject(closed);
		const headers = new Headers();
		await expect(runWithTenant(a, () => auth.api.getSession({ headers }))).rejects.toMatchObject(closed);
		expect(await runWithTenant(b, list)).toHaveLength(1);
		expect(await runWithTenant({ auth, slug: "globex" }, list)).toHaveLength(1);
		await world.restore(a);
		expect(await runWithTenant(a, list)).toHaveLength(1);
	});

	// threat 107
	it("is refused on its own host, and found again when it is restored", async () => {
		const world = await lifecycleWorld([], {
			engine: {
				baseURL: { allowedHosts: ["*.app.example.com", "localhost:3000"], fallback: ORIGIN, protocol: "http" },
			},
			tenants: { resolveTenantId: fromSubdomain({ domain: "app.example.com" }), tenantHeader: false },
		});
		const at = (slug: string) => world.call(`http://${slug}.app.example.com/api/auth/get-session`);
		await world.suspend(world.a);
		expect(await at("acme")).toMatchObject(CLOSED);
		expect((await at("globex")).status).toBe(200);
		expect(await at("missing")).toMatchObject({ status: 404, code: "TENANT_NOT_FOUND" });
		await world.restore(world.a);
		expect((await at("acme")).status).toBe(200);
	});

	// threat 107
	it("is noticed by another process once its cache expires, and stays closed without the companion", async () => {
		const world = await lifecycleWorld([], { database: "postgres", tenants: { tenantCache: { maxAge: 0 } } });
		const second = betterAuth(world.options);
		const { a, b } = world;
		const browsers = { [a]: await world.signUp(a, "ada@example.com"), [b]: await world.signUp(b, "ada@example.com") };
		const seen = async (auth: { handler: typeof second.handler }, tenantId: string) => {
			const cookie = browsers[tenantId]?.header() ?? "";
			const response = await auth.handler(
				new Request(`${ORIGIN}/api/auth/get-session`, { headers: { origin: ORIGIN, cookie } }),
			);
			return response.status;
		};
		expect(await seen(second, a)).toBe(200);
		await world.suspend(a);
		expect(await seen(second, a)).toBe(403);
		expect(await seen(second, b)).toBe(200);
		await world.restore(a);
		expect(await seen(second, a)).toBe(200);
	});
});
