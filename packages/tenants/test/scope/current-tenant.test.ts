import { createAuthMiddleware } from "better-auth/api";
import { createWorld, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { currentTenantId, PLATFORM, runWithTenant } from "../../src/index.ts";

const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 10));

/** A world whose hooks record the current tenant with the email. */
const createNoting = async (database: "sqlite" | "postgres" = "sqlite") => {
	const seen: [where: string, email: string, tenantId: string | null][] = [];
	const note = async (where: string, email: unknown) => {
		await pause();
		seen.push([where, String(email), currentTenantId()]);
	};
	const world = await createWorld({
		database,
		engine: {
			hooks: {
				before: createAuthMiddleware(async ({ body }) => note("before", body?.email)),
				after: createAuthMiddleware(async ({ body }) => note("after", body?.email)),
			},
			databaseHooks: {
				user: {
					create: {
						before: async ({ email }) => note("making", email),
						after: async ({ email }) => note("made", email),
					},
				},
			},
			emailAndPassword: {
				enabled: true,
				password: {
					hash: async (password) => {
						await note("hash", password);
						return password;
					},
				},
			},
		},
	});
	return { world, seen };
};

describe("currentTenantId", () => {
	// threat 53
	it("returns each request's own tenant in hooks of Better Auth and of the database, and on the platform", async () => {
		const { world, seen } = await createNoting("postgres");
		const tenants = [await world.newTenant(), await world.newTenant(), undefined];
		seen.length = 0;
		const people = Array.from({ length: 30 }, (_, n) => ({ email: `user-${n}@example.com`, tenant: tenants[n % 3] }));
		const answers = await Promise.all(
			people.map(({ email, tenant }) =>
				world.call("/sign-up/email", { tenant, body: { name: "x", email, password: `${email} password` } }),
			),
		);
		expect(answers.map(({ status }) => status)).toEqual(people.map(() => 200));
		for (const { email, tenant = PLATFORM } of people) {
			const of = seen.filter(([, whose]) => whose === email || whose === `${email} password`);
			expect(new Set(of.map(([where]) => where))).toEqual(new Set(["before", "hash", "making", "made", "after"]));
			expect([email, new Set(of.map(([, , tenantId]) => tenantId))]).toEqual([email, new Set([tenant])]);
		}
		expect(currentTenantId()).toBeNull();
	});

	it("returns null outside a request, and the given tenant inside runWithTenant", async () => {
		const { world, seen } = await createNoting();
		const [a, b] = [await world.newTenant(), await world.newTenant()];
		expect(currentTenantId()).toBeNull();
		for (const named of [a, b, PLATFORM]) expect(runWithTenant(named, currentTenantId)).toBe(named);
		seen.length = 0;
		const body = { name: "x", email: "ada@example.com", password: PASSWORD };
		await runWithTenant(a, () => world.auth.api.signUpEmail({ body }));
		expect(new Set(seen.map(([, , tenantId]) => tenantId))).toEqual(new Set([a]));
		expect(currentTenantId()).toBeNull();
	});

	it("follows background work of a request, while server code calls another tenant", async () => {
		const seen: (string | null)[] = [];
		const left: Promise<unknown>[] = [];
		const inside: { b: string; run?: () => Promise<unknown> } = { b: "" };
		const world = await createWorld({
			engine: {
				databaseHooks: {
					user: {
						create: {
							after: async () => {
								left.push(pause().then(() => seen.push(currentTenantId())));
								seen.push(runWithTenant(inside.b, currentTenantId), currentTenantId());
							},
						},
					},
				},
			},
		});
		const a = await world.newTenant();
		inside.b = await world.newTenant();
		await world.signUp(a, "ada@example.com");
		await Promise.all(left);
		expect(seen).toEqual([inside.b, a, a]);
	});

	it("returns the given tenant for a function without a result, which runs once, in a request and in its transaction", async () => {
		const seen: (string | null)[] = [];
		const inside = { b: "" };
		const note = async () => runWithTenant(inside.b, () => void seen.push(currentTenantId()));
		const world = await createWorld({
			engine: { databaseHooks: { user: { create: { before: note } }, session: { create: { after: note } } } },
		});
		const a = await world.newTenant();
		inside.b = await world.newTenant();
		await note();
		await world.signUp(a, "ada@example.com");
		expect(seen).toEqual([inside.b, inside.b, inside.b]);
	});

	it("returns the tenant of the instance whose endpoint runs, with two in one process", async () => {
		const seen: [string, string | null][] = [];
		const note = (where: string) => async () => void seen.push([where, currentTenantId()]);
		const inner = await createWorld({ engine: { databaseHooks: { user: { create: { before: note("inner") } } } } });
		const there = await inner.newTenant("there");
		const outer = await createWorld({
			engine: {
				databaseHooks: {
					user: {
						create: {
							before: async () => {
								await note("before")();
								await inner.signUp(there, "ada@example.com");
								await note("behind")();
							},
						},
					},
				},
			},
		});
		const here = await outer.newTenant("here");
		await outer.signUp(here, "ada@example.com");
		expect(seen).toEqual([
			["before", here],
			["inner", there],
			["behind", here],
		]);
	});
});
