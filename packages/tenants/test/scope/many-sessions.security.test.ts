import { runWithTenant } from "better-auth-tenants";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";

const ADA = "ada@example.com";
/** Better Auth's lists end at 100 rows unless it is told otherwise. */
const MORE = 101;

/** Two tenants with a user of the same email, and functions that add to the sessions of one and look for them. */
const createCrowded = async (redis: boolean, session: { storeSessionInDatabase?: boolean }) => {
	const world = await createWorld({ redis, engine: { session } });
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const kept = await world.signUp(a, ADA);
	const neighbor = await world.signUp(b, ADA);
	const { internalAdapter } = await world.auth.$context;
	const { user } = (await world.call("/get-session", { browser: kept })).json;
	const tokens: string[] = [];
	return {
		world,
		user,
		kept,
		neighbor,
		addSessions: () =>
			runWithTenant(a, async () => {
				for (let count = 0; count < MORE; count += 1) tokens.push((await internalAdapter.createSession(user.id)).token);
			}),
		countAlive: () =>
			runWithTenant(a, async () => {
				const found = await Promise.all(tokens.map((token) => internalAdapter.findSession(token)));
				return found.filter(Boolean).length;
			}),
		countListed: async (): Promise<number> =>
			(await world.call("/list-sessions", { browser: kept.copy() })).json.length,
	};
};

describe("a user with more than 100 sessions", () => {
	// threat 96
	it.each([
		["in the database", false, {}],
		["in Redis", true, {}],
		["in Redis and the database", true, { storeSessionInDatabase: true }],
	])("sees all of them, and ends all others: %s", async (_name, redis, session) => {
		const { world, kept, neighbor, addSessions, countAlive, countListed } = await createCrowded(redis, session);
		await addSessions();
		expect([await countAlive(), await countListed()]).toEqual([MORE, MORE + 1]);
		expect((await world.call("/revoke-other-sessions", { browser: kept, body: {} })).status).toBe(200);
		expect([await countAlive(), await countListed()]).toEqual([0, 1]);
		expect((await world.call("/get-session", { browser: neighbor })).json.user.email).toBe(ADA);
	});

	it("sees all of them, if they are more than one query returns", async () => {
		const { world, user, countListed } = await createCrowded(false, {});
		await world.database.query(
			`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 2000)
			insert into "session" ("id", "token", "userId", "tenantId", "expiresAt", "createdAt", "updatedAt")
			select 'many-' || n, n || "token", "userId", "tenantId", "expiresAt", "createdAt", "updatedAt"
			from "session", numbers where "userId" = '${user.id}'`,
		);
		expect(await countListed()).toBe(2_001);
	});
});
