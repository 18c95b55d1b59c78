import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { createDatabase } from "test-kit/databases";
import { createWorld, ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";

/** Better Auth without the plugin. */
const createBare = async (database: "postgres" | "mysql", session: object) => {
	const own = await createDatabase(database);
	onTestFinished(own.close);
	const options = {
		database: own.connection,
		baseURL: ORIGIN,
		secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		rateLimit: { enabled: false },
		session,
		emailAndPassword: {
			enabled: true,
			password: { hash: async (password: string) => password, verify: async () => true },
		},
	};
	await (await getMigrations(options)).runMigrations();
	const auth = betterAuth(options);
	const call = async (path: string, body?: unknown, cookie?: string) => {
		const headers = { origin: ORIGIN, "content-type": "application/json", ...(cookie ? { cookie } : {}) };
		const response = await auth.handler(
			new Request(`${ORIGIN}/api/auth${path}`, {
				method: body ? "POST" : "GET",
				headers,
				body: body ? JSON.stringify(body) : null,
			}),
		);
		return response.headers
			.getSetCookie()
			.map((line) => line.split(";")[0])
			.join("; ");
	};
	return { statements: own.statements, call };
};

const person = { name: "Ada", email: "ada@example.com", password: PASSWORD };

describe.each(["postgres", "mysql"] as const)("statements sent to %s", (database) => {
	it.each([
		["plain", {}],
		["with every session refreshed", { updateAge: 0 }],
		["with a cookie cache", { cookieCache: { enabled: true, maxAge: 300 } }],
	])(
		"match Better Auth alone once the tenant is cached: sign-up, sign-in, get-session, list-sessions, sign-out (%s)",
		async (_name, session) => {
			const bare = await createBare(database, session);
			const world = await createWorld({ database, engine: { session } });
			const tenant = await world.newTenant();
			await world.signUp(tenant, "warm@example.com"); // caches the tenant and checks the schema
			await bare.call("/sign-up/email", { ...person, email: "warm@example.com" });

			const count = async (statements: string[], act: () => Promise<unknown>) => {
				statements.length = 0;
				await act();
				return [...statements];
			};
			const bareCookie = { value: "" };
			const browser = await world.signUp(tenant, "first@example.com");
			await bare.call("/sign-up/email", { ...person, email: "first@example.com" });
			const steps: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
				[
					"sign-up",
					() => bare.call("/sign-up/email", person),
					() => world.call("/sign-up/email", { tenant, body: person }),
				],
				[
					"sign-in",
					async () => {
						bareCookie.value = await bare.call("/sign-in/email", person);
					},
					() => world.call("/sign-in/email", { tenant, browser, body: person }),
				],
				[
					"get-session",
					() => bare.call("/get-session", undefined, bareCookie.value),
					() => world.call("/get-session", { browser }),
				],
				[
					"list-sessions",
					() => bare.call("/list-sessions", undefined, bareCookie.value),
					() => world.call("/list-sessions", { browser }),
				],
				[
					"sign-out",
					() => bare.call("/sign-out", {}, bareCookie.value),
					() => world.call("/sign-out", { browser, body: {} }),
				],
			];
			for (const [name, bareStep, ourStep] of steps) {
				const expected = await count(bare.statements, bareStep);
				const ours = await count(world.database.statements, ourStep);
				expect([name, ours.length, ours], `${name}, bare: ${expected.join("\n")}`).toEqual([
					name,
					expected.length,
					ours,
				]);
			}
		},
	);

	it("are one more for a tenant that is not cached", async () => {
		const world = await createWorld({ database, tenantAuth: { tenantCache: { maxAge: 0 } } });
		const tenant = await world.newTenant();
		const browser = await world.signUp(tenant, "ada@example.com");
		world.database.statements.length = 0;
		await world.call("/get-session", { browser });
		const cold = world.database.statements.length;
		const warm = await createWorld({ database });
		const known = await warm.newTenant();
		const signedIn = await warm.signUp(known, "ada@example.com");
		warm.database.statements.length = 0;
		await warm.call("/get-session", { browser: signedIn });
		expect(cold).toBe(warm.database.statements.length + 1);
	});
});
