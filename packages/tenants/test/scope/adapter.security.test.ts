import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { username } from "better-auth/plugins/username";
import { Browser } from "test-kit/browser";
import { isEngineFrom } from "test-kit/engine-version";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant, withTenants } from "../../src/index.ts";

const namesakes = async (world: World) => {
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const users = [];
	for (const tenantId of [a, b]) {
		await world.signUp(tenantId, "ada@example.com");
		const { internalAdapter } = await world.auth.$context;
		users.push(
			(await runWithTenant(tenantId, () => internalAdapter.findUserByEmail("ada@example.com")))?.user.id ?? "",
		);
	}
	return { a, b, userA: users[0] ?? "", userB: users[1] ?? "" };
};

describe.each(["sqlite", "postgres", "mysql"] as const)("the scoped adapter on %s", (database) => {
	// threats 2 and 65
	it("finds, counts, changes and deletes in one tenant only", async () => {
		const world = await createWorld({ database });
		const { a, b, userA, userB } = await namesakes(world);
		const { adapter } = await world.auth.$context;
		const byId = [{ field: "id", value: userB }];
		const byEmail = [{ field: "email", value: "ada@example.com" }];
		await runWithTenant(a, async () => {
			expect(await adapter.findOne({ model: "user", where: byId })).toBeNull();
			expect((await adapter.findMany({ model: "user" })).length).toBe(1);
			expect(
				await adapter.count({
					model: "user",
					where: [userA, userB].map((value) => ({ field: "id", value, connector: "OR" })),
				}),
			).toBe(1);
			expect(await adapter.update({ model: "user", where: byId, update: { name: "changed" } })).toBeNull();
			// updates by a field that is not globally unique return the tenant's own row
			const own = await adapter.update<{ id: string; tenantId: string }>({
				model: "user",
				where: byEmail,
				update: { name: "mine", tenantId: b },
			});
			expect([own?.id, own?.tenantId]).toEqual([userA, a]);
			expect(await adapter.updateMany({ model: "user", where: [], update: { image: "all" } })).toBe(1);
			await adapter.delete({ model: "user", where: byId });
			await adapter.deleteMany({ model: "user", where: byId });
			expect(await adapter.consumeOne({ model: "user", where: byId })).toBeNull();
		});
		await runWithTenant(b, async () => {
			const own = await adapter.update<{ id: string }>({ model: "user", where: byEmail, update: { name: "Ada" } });
			expect(own?.id).toBe(userB);
		});
		const rows = await world.database.query('select "id", "tenantId", "name", "image" from "user"');
		expect(rows).toContainEqual({ id: userA, tenantId: a, name: "mine", image: "all" });
		expect(rows).toContainEqual({ id: userB, tenantId: b, name: "Ada", image: null });
	});

	// threats 40 and 65
	it("sets the tenant of new rows, inside transactions too, and lets no row reference another tenant's", async () => {
		const world = await createWorld({ database });
		const { a, b, userA, userB } = await namesakes(world);
		const { adapter, internalAdapter } = await world.auth.$context;
		const account = (userId: string) => ({
			userId,
			providerId: "github",
			accountId: `x-${userId}`,
			createdAt: new Date(),
			updatedAt: new Date(),
			tenantId: b,
		});
		await runWithTenant(a, async () => {
			expect(await adapter.create({ model: "account", data: account(userA) })).toMatchObject({ tenantId: a });
			await expect(adapter.create({ model: "account", data: account(userB) })).rejects.toMatchObject({
				body: { code: "REFERENCE_NOT_IN_TENANT" },
			});
			await expect(internalAdapter.createSession(userB)).rejects.toMatchObject({
				body: { code: "REFERENCE_NOT_IN_TENANT" },
			});
			await expect(
				adapter.updateMany({ model: "account", where: [], update: { userId: userB } }),
			).rejects.toMatchObject({ body: { code: "REFERENCE_NOT_IN_TENANT" } });
			await adapter.transaction(async (inside) => {
				expect(await inside.findOne({ model: "user", where: [{ field: "id", value: userB }] })).toBeNull();
				await expect(inside.create({ model: "account", data: account(userB) })).rejects.toMatchObject({
					body: { code: "REFERENCE_NOT_IN_TENANT" },
				});
			});
		});
		expect(
			Number((await world.database.query(`select count(*) as n from "account" where "userId" = '${userB}'`))[0]?.n),
		).toBe(1);
	});

	// threat 65
	it("increments in one tenant only", async () => {
		const points = { type: "number" as const, defaultValue: 0, input: false as const };
		const world = await createWorld({ database, engine: { user: { additionalFields: { points } } } });
		const { a, userA, userB } = await namesakes(world);
		const { adapter } = await world.auth.$context;
		const countUp = (id: string) =>
			runWithTenant(a, () =>
				adapter.incrementOne({ model: "user", where: [{ field: "id", value: id }], increment: { points: 1 } }),
			);
		expect(await countUp(userB)).toBeNull();
		expect(await countUp(userA)).toMatchObject({ id: userA });
		const rows = await world.database.query('select "id", "points" from "user"');
		expect(Object.fromEntries(rows.map(({ id, points }) => [id, Number(points)]))).toEqual({ [userA]: 1, [userB]: 0 });
	});

	it("keeps an optional name unique per tenant in the database", async () => {
		const world = await createWorld({
			database,
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [username()]),
		});
		const { a, b, userA, userB } = await namesakes(world);
		const { adapter } = await world.auth.$context;
		const grace = { name: "Grace", email: "grace@example.com", emailVerified: false, username: "ada" };
		const dates = { createdAt: new Date(), updatedAt: new Date() };
		for (const [tenantId, id] of [
			[a, userA],
			[b, userB],
		] as const) {
			await runWithTenant(tenantId, async () => {
				await adapter.update({ model: "user", where: [{ field: "id", value: id }], update: { username: "ada" } });
				// bypasses the engine's lookup, as a race does
				await expect(adapter.create({ model: "user", data: { ...grace, ...dates } })).rejects.toThrow();
				await adapter.create({ model: "user", data: { ...grace, ...dates, username: "grace" } });
			});
		}
	});

	it.each([undefined, "uuid"] as const)("reserves a name once per tenant, with ids of kind %s", async (generateId) => {
		const advanced = { disableOriginCheck: false, ...(generateId ? { database: { generateId } } : {}) };
		const world = await createWorld({ database, engine: { advanced } });
		const { a, b } = await namesakes(world);
		const { internalAdapter } = await world.auth.$context;
		const reserve = (tenantId: string) =>
			runWithTenant(tenantId, () =>
				internalAdapter.reserveVerificationValue({
					identifier: "jti:1",
					value: "x",
					expiresAt: new Date(Date.now() + 60_000),
				}),
			);
		expect([await reserve(a), await reserve(b), await reserve(a), await reserve(b)]).toEqual([
			true,
			true,
			false,
			false,
		]);
		const { adapter } = await world.auth.$context;
		for (const tenantId of [a, b]) {
			await runWithTenant(tenantId, async () => {
				const [stored] = await adapter.findMany<{ id: string }>({ model: "verification" });
				const where = [{ field: "id", value: stored?.id ?? "" }];
				expect(await adapter.findOne({ model: "verification", where })).toMatchObject({ tenantId, id: stored?.id });
			});
		}
	});
});

describe("the scoped adapter", () => {
	it("reserves a name once per tenant in a column of ObjectIds", async () => {
		const world = await createWorld();
		const { a, b } = await namesakes(world);
		const { adapter, internalAdapter } = await world.auth.$context;
		// as Prisma's adapter says it for MongoDB
		Object.assign(adapter.options ?? {}, { usesObjectIdKey: () => true });
		const reserved: boolean[] = [];
		for (const tenantId of [a, b, a, b]) {
			const value = { identifier: "jti:1", value: "x", expiresAt: new Date(Date.now() + 60_000) };
			reserved.push(await runWithTenant(tenantId, () => internalAdapter.reserveVerificationValue(value)));
		}
		expect(reserved).toEqual([true, true, false, false]);
		const rows = await world.database.query(`select "id", "tenantId" from "verification"`);
		expect(new Set(rows.map(({ tenantId }) => tenantId))).toEqual(new Set([a, b]));
		// an older version does not ask
		for (const { id } of rows) expect(id).toMatch(isEngineFrom(22) ? /^[\da-f]{24}$/ : /^[\da-f-]{36}$/);
	});

	it("hides the tenant table and rejects unknown tables", async () => {
		const world = await createWorld();
		const { adapter } = await world.auth.$context;
		await expect(adapter.findMany({ model: "tenant" })).rejects.toThrow("auth.api");
		await expect(adapter.findMany({ model: "nowhere" })).rejects.toThrow('"nowhere" is not a table');
	});

	// threat 40
	it("creates no session for another tenant's user, with Redis only as well", async () => {
		const world = await createWorld({ database: "postgres", redis: true });
		const { a, userA, userB } = await namesakes(world);
		const { internalAdapter } = await world.auth.$context;
		const before = (await world.redisKeys()).sort();
		await expect(runWithTenant(a, () => internalAdapter.createSession(userB))).rejects.toMatchObject({
			body: { code: "REFERENCE_NOT_IN_TENANT" },
		});
		expect((await world.redisKeys()).sort()).toEqual(before);
		expect(await runWithTenant(a, () => internalAdapter.createSession(userA))).toMatchObject({ userId: userA });
	});

	it("runs in the request's tenant inside the application's before hook", async () => {
		const seen: (string | undefined)[] = [];
		const world = await createWorld({
			engine: {
				hooks: {
					before: createAuthMiddleware(async (ctx) => {
						if (ctx.path !== "/list-sessions") return;
						const session = await getSessionFromCtx(ctx);
						seen.push((session?.session as { tenantId?: string } | undefined)?.tenantId);
					}),
				},
			},
		});
		const tenantId = await world.newTenant();
		const browser = await world.signUp(tenantId, "ada@example.com");
		expect((await world.call("/list-sessions", { browser })).status).toBe(200);
		expect(seen).toEqual([tenantId]);
		const clean = new Browser();
		await world.call("/request-password-reset", {
			tenant: tenantId,
			body: { email: "ada@example.com", redirectTo: "/reset" },
		});
		expect((await world.call(world.lastMail("reset").url, { browser: clean })).location).toContain("token=");
	});

	it("gives two instances in one process their own tenants", async () => {
		const [first, second] = [await createWorld(), await createWorld()];
		const a = await first.newTenant();
		const b = await second.newTenant();
		await first.signUp(a, "ada@example.com");
		await second.signUp(b, "ada@example.com");
		expect(
			(await second.call("/sign-in/email", { tenant: a, body: { email: "ada@example.com", password: PASSWORD } }))
				.status,
		).toBe(404);
	});
});
