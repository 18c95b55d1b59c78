import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import { captcha } from "better-auth/plugins";
import { twoFactor } from "better-auth/plugins/two-factor";
import { Browser } from "test-kit/browser";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";

const ada = { name: "Ada", email: "ada@example.com", password: PASSWORD };

describe("signing in to a tenant", () => {
	it("returns user and session, and the requested redirect", async () => {
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

	it("remembers the user by default, and not with rememberMe: false", async () => {
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
	it("rejects another site's form", async () => {
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
	it("requires the second factor of the twoFactor plugin, and continues in the same tenant", async () => {
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
		// the response carries no hint, and there is no session yet
		expect((await world.call("/two-factor/send-otp", { browser, body: {} })).status).toBe(200);
		// the challenge does not exist in the other tenant
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
	it("is rate limited like /sign-in/email, including by the application's rule for it", async () => {
		// the engine counts addresses per process, so each burst uses its own address
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
	it("is closed by disabledPaths and protected by captcha, like /sign-in/email", async () => {
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

describe("guards on /sign-in/email", () => {
	const tryBoth = async (world: World, body: Record<string, unknown>) => {
		const tenant = (await world.auth.api.createTenant({ body: { name: "x", slug: "acme" } })).id;
		const paths = ["/sign-in/email", "/tenant/sign-in/email"];
		return Promise.all(paths.map(async (path) => (await world.call(path, { tenant, body })).status));
	};

	// threat 65
	it("apply to the tenant's endpoint: a plugin's middleware, and one that reads the body", async () => {
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
	it("apply to the tenant's endpoint: a rate limit by pattern", async () => {
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
