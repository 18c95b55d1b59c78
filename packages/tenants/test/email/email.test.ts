import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { captcha } from "better-auth/plugins";
import { magicLink } from "better-auth/plugins/magic-link";
import { twoFactor } from "better-auth/plugins/two-factor";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";

const ada = { name: "Ada", email: "ada@example.com", password: PASSWORD };

describe("signing up under a tenant", () => {
	it("answers user and session, and signs in", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		const browser = new Browser();
		const up = await world.call("/tenant/sign-up/email", {
			browser,
			body: { ...ada, tenantId, image: "https://example.com/a.png" },
		});
		expect(up.status).toBe(200);
		expect(up.json.user).toMatchObject({ email: ada.email, name: "Ada", image: "https://example.com/a.png", tenantId });
		expect(up.json.session).toMatchObject({ token: up.json.token, tenantId, userId: up.json.user.id });
		expect((await world.call("/get-session", { browser })).json.session.id).toBe(up.json.session.id);
	});

	it("makes no session while verification is required, and answers alike for a taken e-mail", async () => {
		const world = await createWorld({
			engine: {
				emailAndPassword: { enabled: true, requireEmailVerification: true },
				emailVerification: {
					sendOnSignUp: true,
					autoSignInAfterVerification: true,
					sendVerificationEmail: async ({ url }) => void links.push(url),
				},
			},
		});
		const links: string[] = [];
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const up = (tenantId: string) => world.call("/tenant/sign-up/email", { body: { ...ada, tenantId } });
		const [fresh, taken, neighbour] = [await up(a), await up(a), await up(b)];
		// threat 52
		for (const answer of [fresh, taken, neighbour]) {
			expect(answer.status).toBe(200);
			expect(answer.json).toMatchObject({
				token: null,
				session: null,
				user: { email: ada.email, emailVerified: false },
			});
			expect(Object.keys(answer.json.user).sort()).toEqual(Object.keys(fresh.json.user).sort());
			expect(answer.headers.getSetCookie()).toEqual([]);
		}
		expect([fresh, taken, neighbour].map(({ json }) => json.user.tenantId)).toEqual([a, a, b]);
		expect((await world.database.query('select count(*) as n from "user"'))[0]?.n).toBe(2);
		const early = await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId: a } });
		expect([early.status, early.code]).toEqual([403, "EMAIL_NOT_VERIFIED"]);
		// the mailed link works in a clean browser and signs in to its tenant
		const browser = new Browser();
		await world.call(links[0] ?? "", { browser });
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(a);
		expect((await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId: b } })).status).toBe(403);
	});

	it("makes no session while auto sign-in is off", async () => {
		const world = await createWorld({ engine: { emailAndPassword: { enabled: true, autoSignIn: false } } });
		const tenantId = await world.newTenant();
		const up = await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId } });
		expect([up.json.token, up.json.session, up.headers.getSetCookie()]).toEqual([null, null, []]);
		expect((await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId } })).json.session.tenantId).toBe(
			tenantId,
		);
	});

	// threat 52
	it("says that an e-mail is taken in its own tenant only", async () => {
		const world = await createWorld();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		expect((await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: a } })).status).toBe(200);
		expect((await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: b } })).status).toBe(200);
		const again = await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: a } });
		expect([again.status, again.code]).toEqual([422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]);
	});

	it("refuses what the engine refuses", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		for (const [body, status, code] of [
			[{ ...ada, email: "not an address" }, 400, "VALIDATION_ERROR"],
			[{ ...ada, password: "short" }, 400, "PASSWORD_TOO_SHORT"],
			[{ ...ada, password: "x".repeat(200) }, 400, "PASSWORD_TOO_LONG"],
		] as const) {
			expect(await world.call("/tenant/sign-up/email", { body: { ...body, tenantId } })).toMatchObject({
				status,
				code,
			});
		}
		const { name: _, ...nameless } = ada;
		expect((await world.call("/tenant/sign-up/email", { body: { ...nameless, tenantId } })).status).toBe(400);
	});
});

describe.each(["postgres", "mysql"] as const)("in parallel on %s", (database) => {
	// threat 45
	it("makes one user, account and session of 100 sign-ups of one e-mail in one tenant", async () => {
		const world = await createWorld({ database });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const answers = await Promise.all(
			Array.from({ length: 100 }, () => world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: a } })),
		);
		expect(answers.filter(({ status }) => status === 200).length).toBe(1);
		expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]));
		for (const table of ["user", "account", "session"]) {
			expect([table, Number((await world.database.query(`select count(*) as n from "${table}"`))[0]?.n)]).toEqual([
				table,
				1,
			]);
		}
		expect((await world.call("/tenant/sign-up/email", { body: { ...ada, tenantId: b } })).status).toBe(200);
	});
});

describe("signing in under a tenant", () => {
	it("answers user and session, and the redirect that was asked for", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		await world.signUp(tenantId, ada.email);
		const plain = await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId } });
		expect(plain.json).toMatchObject({
			redirect: false,
			token: plain.json.session.token,
			user: { tenantId },
			session: { tenantId },
		});
		const redirected = await world.call("/tenant/sign-in/email", {
			body: { ...ada, tenantId, callbackURL: "/welcome" },
		});
		expect(redirected.json).toMatchObject({ redirect: true, url: "/welcome" });
		expect(redirected.location).toBe("/welcome");
		// threat 24
		for (const callbackURL of ["https://evil.example", "//evil.example", "/\\evil.example"]) {
			expect((await world.call("/tenant/sign-in/email", { body: { ...ada, tenantId, callbackURL } })).status).toBe(403);
		}
	});

	it("remembers the person by default and forgets him when asked to", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		await world.signUp(tenantId, ada.email);
		const cookieOf = async (rememberMe?: boolean) => {
			const answer = await world.call("/tenant/sign-in/email", {
				body: { ...ada, tenantId, ...(rememberMe === undefined ? {} : { rememberMe }) },
			});
			return answer.headers.getSetCookie().find((line) => line.includes("session_token"));
		};
		expect(await cookieOf()).toContain("Max-Age=604800");
		expect(await cookieOf(true)).toContain("Max-Age=604800");
		expect(await cookieOf(false)).not.toContain("Max-Age");
	});

	// threat 51
	it("refuses another site's form", async () => {
		const world = await createWorld();
		const tenantId = await world.newTenant();
		await world.signUp(tenantId, ada.email);
		const answer = await world.call("/tenant/sign-in/email", {
			headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" },
			body: { ...ada, tenantId },
		});
		expect(answer.status).toBe(403);
	});

	// threat 65
	it("asks for the second factor that the engine's plugin asks for, and goes on in the same tenant", async () => {
		const codes: string[] = [];
		const world = await createWorld({
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [
				twoFactor({ otpOptions: { sendOTP: async ({ otp }) => void codes.push(otp) } }),
			]),
		});
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		for (const tenantId of [a, b]) {
			const browser = await world.signUp(tenantId, ada.email);
			await world.call("/two-factor/enable", { browser, body: { password: PASSWORD } });
		}
		await world.database.query('update "user" set "twoFactorEnabled" = 1');
		const browser = new Browser();
		const challenged = await world.call("/tenant/sign-in/email", { browser, body: { ...ada, tenantId: a } });
		expect(challenged.json.twoFactorRedirect).toBe(true);
		expect(challenged.json.session).toBeUndefined();
		expect((await world.call("/get-session", { browser: browser.copy() })).json).toBeNull();
		// the answer carries no hint and there is no session yet
		expect((await world.call("/two-factor/send-otp", { browser, body: {} })).status).toBe(200);
		// the neighbour's scope knows nothing of this challenge
		const moved = await world.call("/two-factor/verify-otp", {
			browser: browser.copy(),
			tenant: b,
			body: { code: codes[0] },
		});
		expect(moved.status).toBe(401);
		const verified = await world.call("/two-factor/verify-otp", { browser, body: { code: codes[0] } });
		expect(verified.status).toBe(200);
		expect((await world.call("/get-session", { browser })).json.session.tenantId).toBe(a);
	});

	// threat 62
	it("is limited as strictly as the engine's own endpoint, also by the application's rule for that one", async () => {
		// the engine's memory of addresses is one for the process: each burst has an address of its own
		const burst = async (address: string, customRules?: Record<string, { window: number; max: number }>) => {
			const world = await createWorld({
				engine: { rateLimit: { enabled: true, ...(customRules ? { customRules } : {}) } },
			});
			const headers = { "x-forwarded-for": address };
			const tenant = (await world.auth.api.createTenant({ body: { name: "x", slug: "acme" } })).id;
			const statuses = [];
			for (let n = 0; n < 20; n += 1)
				statuses.push((await world.call("/tenant/sign-in/email", { headers, tenant, body: ada })).status);
			return statuses.filter((status) => status !== 429).length;
		};
		expect(await burst("10.0.0.1")).toBe(3);
		expect(await burst("10.0.0.2", { "/sign-in/email": { window: 60, max: 7 } })).toBe(7);
	});

	// threat 65
	it("is closed by disabledPaths and guarded by captcha as the engine's own endpoint is", async () => {
		const disabled = await createWorld({ engine: { disabledPaths: ["/sign-in/email"] } });
		const tenantId = await disabled.newTenant();
		await disabled.signUp(tenantId, ada.email);
		expect((await disabled.call("/tenant/sign-in/email", { body: { ...ada, tenantId } })).status).toBe(404);

		const guarded = await createWorld({ plugins: [captcha({ provider: "cloudflare-turnstile", secretKey: "x" })] });
		const other = await guarded.newTenant();
		const answer = await guarded.call("/tenant/sign-in/email", { body: { ...ada, tenantId: other } });
		expect([answer.status, answer.json.code]).toEqual([400, "MISSING_RESPONSE"]);
	});
});

describe("a magic link", () => {
	// threat 2
	it("works in a clean browser, in its own tenant and in no other", async () => {
		const links: { url: string; token: string }[] = [];
		const world = await createWorld({ plugins: [magicLink({ sendMagicLink: async (link) => void links.push(link) })] });
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		const ask = () =>
			world.call("/sign-in/magic-link", { tenant: a, body: { email: ada.email, callbackURL: "/home" } });
		await ask();
		const token = links[0]?.token ?? "";
		for (const stolen of [token, token.split("~")[0] ?? ""]) {
			const tried = await world.call("/magic-link/verify", {
				tenant: b,
				query: { token: stolen, callbackURL: "/home" },
			});
			expect(tried.location).toContain("error=");
		}
		// signed in to the other tenant, the link still goes to its own
		const browser = await world.signUp(b, "grace@example.com");
		expect((await world.call(links[0]?.url ?? "", { browser })).location).toBe("http://localhost:3000/home");
		expect((await world.call("/get-session", { browser })).json).toMatchObject({
			session: { tenantId: a },
			user: { email: ada.email },
		});
		expect(
			(await world.database.query('select "tenantId" from "user" order by "email"')).map((row) => row.tenantId),
		).toEqual([a, b]);
	});
});

describe("guards on the engine's sign-in", () => {
	const tryBoth = async (world: World, body: Record<string, unknown>) => {
		const tenant = (await world.auth.api.createTenant({ body: { name: "x", slug: "acme" } })).id;
		const paths = ["/sign-in/email", "/tenant/sign-in/email"];
		return Promise.all(paths.map(async (path) => (await world.call(path, { tenant, body })).status));
	};

	// threat 65
	it("hold on the tenant's: a plugin's middleware, and one that reads the request's body", async () => {
		const forbid = createAuthMiddleware(async () => {
			throw new APIError("FORBIDDEN");
		});
		const guarded = await createWorld({
			plugins: [{ id: "guard", middlewares: [{ path: "/sign-in/**", middleware: forbid }] }],
		});
		expect(await tryBoth(guarded, ada)).toEqual([403, 403]);

		const reading: BetterAuthPlugin = {
			id: "no-throwaway-mail",
			onRequest: async (request) => {
				const { email } = request.url.endsWith("/sign-in/email") ? await request.clone().json() : { email: "" };
				return email.endsWith("@throwaway.example")
					? { response: new Response(JSON.stringify({ code: "THROWAWAY" }), { status: 403 }) }
					: undefined;
			},
		};
		const world = await createWorld({ plugins: [reading] });
		expect(await tryBoth(world, { ...ada, email: "x@throwaway.example" })).toEqual([403, 403]);
	});

	// threat 62
	it("hold on the tenant's: a rate limit by pattern", async () => {
		const world = await createWorld({
			engine: { rateLimit: { enabled: true, customRules: { "/sign-in/*": { window: 60, max: 1 } } } },
		});
		const tenant = (await world.auth.api.createTenant({ body: { name: "x", slug: "acme" } })).id;
		const headers = { "x-forwarded-for": "10.1.1.1" };
		const statuses = [];
		for (let n = 0; n < 3; n += 1)
			statuses.push((await world.call("/tenant/sign-in/email", { headers, tenant, body: ada })).status);
		expect(statuses).toEqual([401, 429, 429]);
	});
});
