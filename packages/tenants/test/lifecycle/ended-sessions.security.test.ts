import { oauthProvider } from "@better-auth/oauth-provider";
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { betterAuth } from "better-auth";
import {
	bearer,
	deviceAuthorization,
	jwt,
	magicLink,
	multiSession,
	oneTimeToken,
	twoFactor,
} from "better-auth/plugins";
import { createLocalJWKSet, jwtVerify } from "jose";
import type { Browser } from "test-kit/browser";
import { ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { ENDED_TABLES } from "../../src/features/lifecycle/end-tenant-sessions.ts";
import { runWithTenant, withTenants } from "../../src/index.ts";
import { tenantLifecycle } from "../../src/lifecycle.ts";
import { lifecycleWorld } from "./support/lifecycle-world.ts";

const strategies = ["compact", "jwt", "jwe"] as const;
const stores = [
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["Redis", { database: "postgres", redis: true }],
] as const;

const tokenOf = (browser: Browser): string =>
	decodeURIComponent([...browser.cookies].find(([name]) => name.endsWith("session_token"))?.[1] ?? "");

const EMAIL = "ada@example.com";

describe.each(stores)("a restore that ends sessions on %s", (name, where) => {
	// threat 108
	it.each(strategies)(
		"leaves no session, link or token from before alive, with the cookie cache %s",
		async (strategy) => {
			const sent: { token: string }[] = [];
			const world = await lifecycleWorld(
				[
					bearer(),
					jwt(),
					multiSession(),
					oneTimeToken(),
					magicLink({ sendMagicLink: async (mail) => void sent.push(mail) }),
				],
				{ ...where, engine: { session: { cookieCache: { enabled: true, maxAge: 300, strategy } } } },
			);
			const { a, b, auth } = world;
			const holdings = async (tenant: string) => {
				const browser = await world.signUp(tenant, EMAIL);
				await world.call("/send-verification-email", { browser, body: { email: EMAIL } });
				await world.call("/request-password-reset", { tenant, body: { email: EMAIL, redirectTo: "/reset" } });
				await world.call("/sign-in/magic-link", { tenant, body: { email: EMAIL } });
				const once = await world.call("/one-time-token/generate", { browser });
				const token = await world.call("/token", { browser });
				return {
					browser,
					verify: world.lastMail("verify").token,
					reset: world.lastMail("reset").token,
					magic: sent.at(-1)?.token ?? "",
					once: String(once.json.token),
					jwt: String(token.json.token),
				};
			};
			type Held = Awaited<ReturnType<typeof holdings>>;
			/** Which of them still sign their user in. */
			const alive = async (tenant: string, held: Held): Promise<string[]> => {
				const bare = tokenOf(held.browser).split(".")[0];
				const caches = [...held.browser.cookies].filter(([cookie]) => cookie.includes("session_data"));
				const cookie = caches.map(([cookieName, value]) => `${cookieName}=${value}`).join("; ");
				const { verifyJWT } = auth.api as unknown as { verifyJWT: (call: object) => Promise<{ payload: unknown }> };
				const attempts: Record<string, () => Promise<unknown>> = {
					session: async () => (await world.call("/get-session", { browser: held.browser.copy() })).json,
					uncached: async () =>
						(await world.call("/get-session", { browser: held.browser.copy(), query: { disableCookieCache: "true" } }))
							.json,
					bearer: async () => (await world.call("/get-session", { headers: { authorization: `Bearer ${bare}` } })).json,
					// the bearer plugin signs the bare token with today's secret, and the cache comes from before
					"bearer with cache": async () =>
						(await world.call("/get-session", { headers: { authorization: `Bearer ${bare}`, cookie } })).json,
					devices: async () => {
						const { json } = await world.call("/multi-session/list-device-sessions", { browser: held.browser.copy() });
						return Array.isArray(json) && json.length > 0;
					},
					token: async () => (await world.call("/token", { browser: held.browser.copy() })).status === 200,
					jwt: async () => (await runWithTenant(tenant, () => verifyJWT({ body: { token: held.jwt } }))).payload,
					"key set": async () => {
						const { json } = await world.call("/jwks", { query: { tenantId: tenant } });
						const keys = createLocalJWKSet(json as never);
						return jwtVerify(held.jwt, keys).catch(() => null);
					},
					"one-time token": async () =>
						(await world.call("/one-time-token/verify", { tenant, body: { token: held.once } })).status === 200,
					"verification link": async () => {
						const answer = await world.call("/verify-email", { query: { token: held.verify } });
						return answer.status === 200;
					},
					"new password": async () =>
						(await world.call("/reset-password", { body: { newPassword: PASSWORD, token: held.reset } })).status ===
						200,
					"magic link": async () => {
						const answer = await world.call("/magic-link/verify", { query: { token: held.magic } });
						return answer.headers.getSetCookie().some((set) => /session_token=[^;]/.test(set));
					},
				};
				const found: string[] = [];
				for (const [attempt, run] of Object.entries(attempts)) if (await run()) found.push(attempt);
				return found;
			};
			const [mine, theirs] = [await holdings(a), await holdings(b)];
			await world.suspend(a);
			const restored = await world.restore(a, { endSessions: true });
			expect(restored.status).toBe(200);
			expect(await alive(a, mine)).toEqual([]);
			// the neighbor's all work, so none of them fails for another reason
			expect(await alive(b, theirs)).toEqual([
				"session",
				"uncached",
				"bearer",
				"bearer with cache",
				"devices",
				"token",
				"jwt",
				"key set",
				"one-time token",
				"verification link",
				"new password",
				"magic link",
			]);
			if (name === "Redis") {
				const keys = (await world.redisKeys()).filter((key) => key.startsWith(`tenant:${a}:`));
				expect(keys.filter((key) => !key.includes("limit"))).toEqual([]);
			}
			// new sessions work as before
			const again = await world.call("/sign-in/email", {
				tenant: a,
				browser: mine.browser,
				body: { email: EMAIL, password: PASSWORD },
			});
			expect(again.status).toBe(200);
			expect((await world.call("/get-session", { browser: mine.browser })).json.session.tenantId).toBe(a);
			expect((await world.call("/get-session", { browser: mine.browser.copy() })).json.session.tenantId).toBe(a);
			const token = String((await world.call("/token", { browser: mine.browser })).json.token);
			const keys = (await world.call("/jwks", { query: { tenantId: a } })).json;
			expect((await jwtVerify(token, createLocalJWKSet(keys as never))).payload.tenant_id).toBe(a);
			// a second time, with the sessions of the first
			await world.suspend(a, { endSessions: true });
			const second = await world.restore(a);
			expect((await world.call("/get-session", { browser: mine.browser.copy() })).json).toBeNull();
			expect(Date.parse(String(second.json.lifecycle && Object(second.json.lifecycle).sessionsSince))).toBeGreaterThan(
				Date.parse(String(Object(restored.json.lifecycle).sessionsSince)),
			);
		},
	);
});

describe("a restore that ends sessions", () => {
	// threat 108
	it("hides sessions and links that are left in a storage that cannot list its keys", async () => {
		const kept = new Map<string, string>();
		const storage = {
			get: async (key: string) => kept.get(key) ?? null,
			getAndDelete: async (key: string) => {
				const value = kept.get(key) ?? null;
				kept.delete(key);
				return value;
			},
			set: async (key: string, value: string) => void kept.set(key, value),
			delete: async (key: string) => void kept.delete(key),
			increment: async () => 1,
		};
		const world = await lifecycleWorld([bearer(), oneTimeToken()], { engine: { secondaryStorage: storage } });
		const { a, b } = world;
		const held = async (tenant: string) => {
			const browser = await world.signUp(tenant, EMAIL);
			await world.call("/request-password-reset", { tenant, body: { email: EMAIL, redirectTo: "/reset" } });
			const once = await world.call("/one-time-token/generate", { browser });
			const headers = { authorization: `Bearer ${tokenOf(browser).split(".")[0]}` };
			return { browser, headers, reset: world.lastMail("reset").token, once: String(once.json.token) };
		};
		const [mine, theirs] = [await held(a), await held(b)];
		await world.suspend(a);
		await world.restore(a, { endSessions: true });
		// it is still there: only the time of its creation ends it
		expect([...kept.keys()].some((key) => key.includes(tokenOf(mine.browser).split(".")[0] ?? "?"))).toBe(true);
		const use = async (tenant: string, { headers, reset, once }: typeof mine) => [
			(await world.call("/get-session", { headers })).json !== null,
			(await world.call("/one-time-token/verify", { tenant, body: { token: once } })).status === 200,
			(await world.call("/reset-password", { body: { newPassword: PASSWORD, token: reset } })).status === 200,
		];
		expect(await use(a, mine)).toEqual([false, false, false]);
		expect(await use(b, theirs)).toEqual([true, true, true]);
	});

	// threat 108
	it("ends what an older secret signed, too", async () => {
		const OLD = "an-old-secret-of-at-least-32-characters";
		const NEW = "a-new-secret-of-at-least-32-characters!";
		const secrets = (...values: string[]) => values.map((value, at) => ({ version: values.length - at, value }));
		const world = await lifecycleWorld([bearer()], { engine: { secrets: secrets(OLD) } });
		const { a, b } = world;
		const browsers = { [a]: await world.signUp(a, EMAIL), [b]: await world.signUp(b, EMAIL) };
		const links: Record<string, string> = {};
		for (const tenant of [a, b]) {
			await world.call("/send-verification-email", { browser: browsers[tenant], body: { email: EMAIL } });
			links[tenant] = world.lastMail("verify").token;
		}
		await world.suspend(a);
		await world.restore(a, { endSessions: true });
		const rotated = betterAuth({ ...world.options, secrets: secrets(NEW, OLD) });
		const verify = async (tenant: string): Promise<number> => {
			const url = `${ORIGIN}/api/auth/verify-email?token=${encodeURIComponent(links[tenant] ?? "")}`;
			return (await rotated.handler(new Request(url, { headers: { origin: ORIGIN } }))).status;
		};
		expect([await verify(a), await verify(b)]).toEqual([401, 200]);
		// what the old secret signed since then stays valid while both are configured
		const fresh = browsers[a] as Browser;
		await world.call("/sign-in/email", { tenant: a, browser: fresh, body: { email: EMAIL, password: PASSWORD } });
		const seen = await rotated.handler(
			new Request(`${ORIGIN}/api/auth/get-session`, { headers: { origin: ORIGIN, cookie: fresh.header() } }),
		);
		expect((await seen.json()).session.tenantId).toBe(a);
	});

	// threat 108
	it("keeps what is encrypted readable: second factors and OAuth configs", async () => {
		const world = await lifecycleWorld([twoFactor()]);
		const { a } = world;
		const browser = await world.signUp(a, EMAIL);
		const enabled = await world.call("/two-factor/enable", { browser, body: { password: PASSWORD } });
		const secret = new URL(String(enabled.json.totpURI)).searchParams.get("secret") ?? "";
		const code = () => createOTP(new TextDecoder().decode(base32.decode(secret))).totp();
		expect((await world.call("/two-factor/verify-totp", { browser, body: { code: await code() } })).status).toBe(200);
		const config = { tenantId: a, providerId: "github", clientId: "the-client-id", clientSecret: "s" };
		await world.call("/tenant/oauth-config/register", { operator: true, body: config });
		await world.suspend(a);
		await world.restore(a, { endSessions: true });
		const body = { email: EMAIL, password: PASSWORD };
		const challenge = await world.call("/sign-in/email", { tenant: a, browser, body });
		expect(challenge.json.twoFactorRedirect).toBe(true);
		expect((await world.call("/two-factor/verify-totp", { browser, body: { code: await code() } })).status).toBe(200);
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(a);
		const configs = await world.call("/tenant/oauth-config/list", { operator: true, query: { tenantId: a } });
		expect(configs.text).toContain("the-client-id");
	});

	// threat 108
	it("keeps marks of used names, so that nothing can be used again", async () => {
		const world = await lifecycleWorld();
		const { a, b, auth } = world;
		const { internalAdapter } = await auth.$context;
		const use = (tenant: string) =>
			runWithTenant(tenant, () =>
				internalAdapter.reserveVerificationValue({
					identifier: "saml-used-assertion:1",
					value: "used",
					expiresAt: new Date(Date.now() + 600_000),
				}),
			);
		expect([await use(a), await use(a), await use(b)]).toEqual([true, false, true]);
		await world.suspend(a);
		await world.restore(a, { endSessions: true });
		expect([await use(a), await use(b)]).toEqual([false, false]);
	});

	// threat 108
	it("waits until no request that saw the tenant open can still write", async () => {
		const world = await lifecycleWorld([], {
			tenants: { tenantCache: { maxAge: 0.2 }, deletion: { drainTime: 0.3 } },
		});
		const { a } = world;
		await world.signUp(a, EMAIL);
		const suspended = await world.suspend(a);
		const restored = await world.restore(a, { endSessions: true });
		const at = (answer: typeof restored, field: string) => Date.parse(String(Object(answer.json.lifecycle)[field]));
		expect(at(restored, "at") - at(suspended, "at")).toBeGreaterThanOrEqual(300);
		expect(at(restored, "sessionsSince") - at(suspended, "at")).toBe(300);
	});

	// threat 108
	it("knows of every table of the official plugins whether its rows end or stay", async () => {
		const auth = betterAuth({
			baseURL: ORIGIN,
			secret: PASSWORD.repeat(2),
			plugins: withTenants({}, [
				tenantLifecycle(),
				jwt(),
				deviceAuthorization({ verificationUri: "/device" }),
				oauthProvider({ loginPage: "/login", consentPage: "/consent" }),
				twoFactor(),
			]),
		});
		const { tables } = await auth.$context;
		// a token of one of these tables is a session, or becomes one; whoever adds a table decides about it here
		const stays = [
			"account",
			"oauthClient",
			"oauthClientAssertion",
			"oauthClientResource",
			"oauthConsent",
			"oauthResource",
			"tenant",
			"tenantDomain",
			"tenantOauthConfig",
			"twoFactor",
			"user",
		];
		expect(Object.keys(tables).sort()).toEqual([...stays, ...ENDED_TABLES, "verification"].sort());
	});
});
