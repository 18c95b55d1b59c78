import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import { APIError, createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import { twoFactor } from "better-auth/plugins";
import { createWorld, type WorldOptions } from "test-kit/world";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callerOf } from "../../src/features/testing/side.ts";
import { withTenants } from "../../src/plugin/with-tenants.ts";
import { tenantPolicy } from "../../src/policy.ts";
import { assertTenantIsolation, findTenantLeaks, type TenantIsolationOptions } from "../../src/testing.ts";

afterEach(() => vi.unstubAllEnvs());

const quiet = { logger: { disabled: true } } satisfies Partial<BetterAuthOptions>;
const OPTIONS: TenantIsolationOptions = { only: ["/get-session"], log: false };

/** Runs the isolation test and checks that no row is left. */
const refusalIn = async (options: WorldOptions): Promise<{ message: string; left: number }> => {
	const { auth, database } = await createWorld({ ...options, engine: { ...quiet, ...options.engine } });
	const error: unknown = await findTenantLeaks(auth, OPTIONS).catch((reason: unknown) => reason);
	const left = await database.query('select "id" from "user" union all select "id" from "tenant"');
	return { message: String(error), left: left.length };
};

describe("the isolation test", () => {
	it("throws what leaked", async () => {
		const seen: string[] = [];
		const whispers: BetterAuthPlugin = {
			id: "whispers",
			endpoints: {
				whisper: createAuthEndpoint("/whisper", { method: "GET" }, async (ctx) => ctx.json({ seen })),
			},
		};
		const { auth } = await createWorld({ engine: quiet, plugins: [whispers] });
		const options = {
			...OPTIONS,
			only: ["/whisper"],
			prepare: async ({ canary }: { canary: string }) => void seen.push(canary),
		};
		await expect(assertTenantIsolation(auth, options)).rejects.toThrow("GET /whisper");
		seen.length = 0;
		await expect(assertTenantIsolation(auth, OPTIONS)).resolves.toMatchObject({ leaks: [] });
	});

	it("does not run in production", async () => {
		const { auth, database } = await createWorld({ engine: quiet });
		vi.stubEnv("NODE_ENV", "production");
		await expect(findTenantLeaks(auth, OPTIONS)).rejects.toThrow("does not run with NODE_ENV=production");
		expect(await database.query('select "id" from "tenant"')).toEqual([]);
	});

	it("does not run on a database in use", async () => {
		const { auth, newTenant, signUp, database } = await createWorld({ engine: quiet });
		for (const tenant of [await newTenant(), await newTenant()]) await signUp(tenant, "ada@example.com");
		await expect(findTenantLeaks(auth, OPTIONS)).rejects.toThrow("contains 2 tenants and 2 users");
		expect(await database.query('select "id" from "tenant"')).toHaveLength(2);
	});

	it("does not run without tenants, or without a database that it can read", async () => {
		const { auth } = await createWorld({ engine: quiet, allPlugins: [] });
		await expect(findTenantLeaks(auth, OPTIONS)).rejects.toThrow("Better Auth has no tenantAuth() plugin");
		const memory = betterAuth({ ...quiet, secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe", plugins: withTenants({}, []) });
		await expect(findTenantLeaks(memory, OPTIONS)).rejects.toThrow("Better Auth has no `database`");
	});
});

describe("the users of the isolation test", () => {
	it("need a way to sign up", async () => {
		const { message, left } = await refusalIn({ engine: { emailAndPassword: { enabled: false } } });
		expect(message).toContain("emailAndPassword is not enabled");
		expect(left).toBe(0);
	});

	it("sign up in the tenants that were meant", async () => {
		const tenantAuth = { resolveTenantId: () => "platform", platform: { signUp: true } };
		const { message, left } = await refusalIn({ tenantAuth });
		expect(message).toContain("is not in that tenant");
		expect(left).toBe(0);
	});

	it.each([
		["fails, although it creates a user", "/sign-up/email", "sign-up returned 418"],
		["is refused, also to server code", "user", "sign-up returned 403"],
		["leads to a sign-in that fails", "/sign-in/email", "sign-in returned 418"],
	])("are reported if the sign-up %s", async (_name, broken, reported) => {
		const refuses: BetterAuthPlugin = {
			id: "refuses",
			hooks: {
				before: [
					{
						matcher: ({ path }) => broken === "user" && path === "/sign-up/email",
						handler: createAuthMiddleware(async () => {
							throw new APIError("FORBIDDEN");
						}),
					},
				],
				after: [
					{
						matcher: ({ path }) => path === broken,
						handler: createAuthMiddleware(async () => {
							throw new APIError("I'M_A_TEAPOT");
						}),
					},
				],
			},
		};
		const { message, left } = await refusalIn({
			plugins: [refuses],
			engine: {
				emailAndPassword: { enabled: true, autoSignIn: false },
				databaseHooks: { user: { create: { before: async () => (broken === "user" ? false : undefined) } } },
			},
		});
		expect(message).toContain(reported);
		expect(left).toBe(0);
	});

	it("need a second factor where the tenant requires one", async () => {
		const { message, left } = await refusalIn({
			allPlugins: withTenants({}, [
				twoFactor({ totpOptions: { disable: true }, otpOptions: { sendOTP: async () => {} } }),
				tenantPolicy({ defaults: { secondFactor: "required" } }),
			]),
		});
		expect(message).toContain("A requires a second factor, and an authenticator could not be set up");
		expect(left).toBe(0);
	});

	it("are named by their side if there are none", () => {
		const side = { label: "A", tenantId: "a", slug: "a", canary: "c", users: [], rows: {}, tokens: [] } as const;
		expect(() => callerOf({ ...side, users: [], tokens: [] })).toThrow("no user signed up in A");
	});
});
