import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, sessionMiddleware } from "better-auth/api";
import { admin, magicLink, organization, twoFactor, username } from "better-auth/plugins";
import { withTenants } from "better-auth-tenants";
import { assertTenantIsolation, findTenantLeaks } from "better-auth-tenants/testing";
import { Browser } from "test-kit/browser";
import { createWorld, ORIGIN, type World } from "test-kit/world";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";

// each test sends hundreds of calls, the first ones thousands
vi.setConfig({ testTimeout: 900_000 });

const quiet = { logger: { disabled: true } };

/** Rows by table, which the kit must not change. */
const countRows = async ({ auth, database }: World): Promise<Record<string, number>> => {
	const counts: Record<string, number> = {};
	for (const { modelName } of Object.values((await auth.$context).tables)) {
		const [counted] = await database.query(`select count(*) as "total" from "${modelName}"`);
		counts[modelName] = Number(counted?.total);
	}
	return counts;
};

afterEach(() => {
	vi.unstubAllEnvs();
});

/** The long form, `KIT=full`, attacks every endpoint, on PostgreSQL too: thousands of calls. */
const isFull = process.env.KIT === "full";

describe.each(isFull ? (["sqlite", "postgres"] as const) : (["sqlite"] as const))(
	"a sound configuration on %s",
	(database) => {
		it("has no leaks, reports what was not exercised, and leaves no row behind", async () => {
			const world = await createWorld({
				database,
				engine: quiet,
				allPlugins: withTenants({ deletion: { drainTime: 0 } }, [admin(), organization(), twoFactor(), username()]),
			});
			const lines: string[] = [];
			const mostUsed = [
				"POST /sign-up/email",
				"POST /sign-in/username",
				"POST /update-user",
				"POST /delete-user",
				"GET /admin/list-users",
				"POST /admin/impersonate-user",
				"POST /organization/create",
				"POST /organization/invite-member",
				"POST /two-factor/enable",
			];
			const only = [...mostUsed.map((label) => label.split(" ")[1] ?? ""), "/reset-password"];
			const report = await assertTenantIsolation(world.auth, {
				...(isFull ? {} : { only }),
				log: (line) => lines.push(line),
			});
			expect(report.leaks).toEqual([]);
			// every endpoint is listed, and most succeeded
			const { endpoints, reached, notExercised, skipped } = report;
			expect(reached.length + notExercised.length + skipped.length).toBe(endpoints);
			expect(skipped.length).toBe(isFull ? 0 : endpoints - only.length);
			expect(reached.length).toBeGreaterThan((endpoints - skipped.length) / 2);
			expect(reached).toEqual(expect.arrayContaining(mostUsed));
			expect(notExercised.map(({ endpoint }) => endpoint)).toContain("POST /reset-password");
			for (const { endpoint } of notExercised) expect(lines.join("\n")).toContain(`  - ${endpoint} (`);
			expect(new Set(Object.values(await countRows(world)))).toEqual(new Set([0]));
		});
	},
);

describe("the application's options", () => {
	it("allow another sign-up without passwords", async () => {
		const links = new Map<string, string>();
		const world = await createWorld({
			engine: { ...quiet, emailAndPassword: { enabled: false } },
			plugins: [magicLink({ sendMagicLink: async ({ email, url }) => void links.set(email, url) })],
		});
		await expect(assertTenantIsolation(world.auth)).rejects.toThrow("Set `signUp`");
		const report = await findTenantLeaks(world.auth, {
			only: ["/get-session", "/list-sessions", "/update-user"],
			signUp: async ({ tenantId, email, name }) => {
				const browser = new Browser();
				const tenant = tenantId === "platform" ? undefined : tenantId;
				await world.call("/sign-in/magic-link", { tenant, body: { email, name } });
				await world.call(links.get(email) ?? "", { browser });
				const { json } = await world.call("/get-session", { browser });
				return { userId: json.user.id, cookie: browser.header() };
			},
		});
		expect(report.leaks).toEqual([]);
		expect(report.reached).toEqual(["GET /get-session", "POST /update-user", "GET /list-sessions"]);
	});

	it("are rejected if users land in another tenant than intended", async () => {
		const world = await createWorld({
			engine: quiet,
			tenantAuth: { resolveTenantId: () => "platform", platform: { signUp: true } },
		});
		await expect(assertTenantIsolation(world.auth)).rejects.toThrow("set `address`");
	});

	it("name the tenant of a request for a custom resolver", async () => {
		const world = await createWorld({
			engine: quiet,
			tenantAuth: {
				tenantHeader: false,
				resolveTenantId: ({ headers }) => headers?.get("x-workspace"),
				platform: { signUp: true },
			},
		});
		const report = await findTenantLeaks(world.auth, {
			only: ["/sign-in/email"],
			address: (request, { tenantId }) => {
				const headers = new Headers(request.headers);
				headers.set("x-workspace", tenantId);
				return new Request(request, { headers });
			},
		});
		expect([report.leaks, report.reached]).toEqual([[], ["POST /sign-in/email"]]);
	});

	it("allow sessions in Redis only: those that an attack ended are restored", async () => {
		const world = await createWorld({ redis: true, engine: quiet });
		const only = ["/sign-out", "/revoke-sessions", "/list-sessions", "/get-session"];
		const report = await findTenantLeaks(world.auth, { only });
		expect(report.leaks).toEqual([]);
		expect(report.reached).toHaveLength(4);
		expect(await world.redisKeys()).toEqual([]);
	});

	it("provide custom input, and prepare data outside of the engine", async () => {
		const files = new Map<string, string>();
		const plugin: BetterAuthPlugin = {
			id: "files",
			endpoints: {
				readFile: createAuthEndpoint(
					"/files/read",
					{ method: "POST", body: z.record(z.string(), z.unknown()), use: [sessionMiddleware] },
					async (ctx) => {
						const file = files.get(String(ctx.body.x));
						if (!file) throw ctx.error("NOT_FOUND");
						return ctx.json({ file });
					},
				),
			},
		};
		const world = await createWorld({ engine: quiet, plugins: [plugin] });
		const only = ["/files/read"];
		const guessing = await findTenantLeaks(world.auth, { only });
		expect(guessing.notExercised).toEqual([{ endpoint: "POST /files/read", why: "404" }]);
		const report = await findTenantLeaks(world.auth, {
			only,
			prepare: async ({ label, canary }) => void files.set(`file of ${label}`, `${canary} inside`),
			inputs: { "/files/read": ({ label }) => ({ body: { x: `file of ${label}` } }) },
		});
		expect(report.leaks[0]).toMatchObject({
			endpoint: "POST /files/read",
			how: "session of A, the same request as B just before",
		});
	});

	it("skip paths, which the report lists", async () => {
		const world = await createWorld({ engine: quiet });
		const only = ["/get-session", "/sign-out"];
		const { skipped, reached } = await findTenantLeaks(world.auth, { only, skip: ["/sign-out"] });
		expect(skipped).toContain("POST /sign-out");
		expect(reached).toEqual(["GET /get-session"]);
	});
});

describe("the kit", () => {
	it("refuses to run in production", async () => {
		const { auth } = await createWorld({ engine: quiet });
		vi.stubEnv("NODE_ENV", "production");
		await expect(findTenantLeaks(auth)).rejects.toThrow("does not run with NODE_ENV=production");
	});

	it("refuses a database in use unless allowed, and then keeps its rows", async () => {
		const world = await createWorld({ engine: quiet });
		const tenant = await world.newTenant();
		await world.signUp(tenant, "ada@example.com");
		const before = await countRows(world);
		await expect(findTenantLeaks(world.auth)).rejects.toThrow("contains 1 tenants and 1 users");
		const report = await findTenantLeaks(world.auth, { allowFilledDatabase: true, only: ["/list-sessions"] });
		expect(report.leaks).toEqual([]);
		expect(await countRows(world)).toEqual(before);
	});

	it("refuses an instance without tenants", async () => {
		const { auth } = await createWorld({ engine: quiet, allPlugins: [] });
		await expect(findTenantLeaks(auth)).rejects.toThrow("Better Auth has no tenantAuth()");
	});

	it("does not let the rate limiter hide an endpoint, and restores it", async () => {
		const { auth, call } = await createWorld({
			engine: { ...quiet, rateLimit: { enabled: true, window: 60, max: 2 } },
		});
		const { notExercised } = await findTenantLeaks(auth, { only: ["/get-session"] });
		expect(notExercised.map(({ why }) => why)).not.toContainEqual(expect.stringMatching(/^429/));
		const headers = { origin: ORIGIN, "x-forwarded-for": "203.0.113.7" };
		const statuses = [];
		for (let asked = 0; asked < 3; asked += 1) statuses.push((await call("/ok", { headers })).status);
		expect(statuses).toEqual([200, 200, 429]);
	});
});
