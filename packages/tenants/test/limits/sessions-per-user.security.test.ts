import { runWithRequestState } from "@better-auth/core/context";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { Browser } from "test-kit/browser";
import { passTime } from "test-kit/pass-time";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type World, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { runWithTenant, tenantAuth } from "../../src/index.ts";

const ADA = "ada@example.com";
const BOTH = { storeSessionInDatabase: true };
const tables = () => ({ user: [], session: [], account: [], verification: [], rateLimit: [], tenant: [] });

/** Every place of sessions. */
const STORES: [string, () => WorldOptions][] = [
	["SQLite", () => ({})],
	["PostgreSQL", () => ({ database: "postgres" })],
	["MariaDB", () => ({ database: "mysql" })],
	["memory", () => ({ engine: { database: memoryAdapter({ ...tables(), tenantOauthConfig: [], tenantDomain: [] }) } })],
	["Redis only", () => ({ redis: true })],
	["Redis and PostgreSQL", () => ({ database: "postgres", redis: true, engine: { session: BOTH } })],
	["Redis and MariaDB", () => ({ database: "mysql", redis: true, engine: { session: BOTH } })],
	[
		"Redis, with ended rows kept in SQLite",
		() => ({ redis: true, engine: { session: { ...BOTH, preserveSessionInDatabase: true } } }),
	],
];

/** Two tenants with an Ada each, and a user beside her. A tenth of a limit of 10 is 1, so the limit is exact. */
const createSignedIn = async (limit: number | false, given: WorldOptions = {}) => {
	const ended: string[] = [];
	const world = await createWorld({
		...given,
		engine: {
			...given.engine,
			databaseHooks: { session: { delete: { after: async ({ token }) => void ended.push(token) } } },
		},
		tenantAuth: {
			management: { keys: [MANAGEMENT_KEY], impersonation: {}, audit: () => undefined },
			database: { requireTransactions: false, trustIndexes: true },
			limits: limit === 200 ? {} : { sessionsPerUser: limit },
			...given.tenantAuth,
		},
	});
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const first = await world.signUp(a, ADA);
	const beside = await world.signUp(a, "bob@example.com");
	const neighbor = await world.signUp(b, ADA);
	const { user } = (await world.call("/get-session", { browser: first.copy() })).json;
	return { world, ended, a, b, first, beside, neighbor, userId: String(user.id) };
};

const signIn = async (world: World, tenant: string | undefined, more: object = {}): Promise<Browser> => {
	// later than the last one
	passTime(1_000);
	const browser = new Browser();
	const body = { email: ADA, password: PASSWORD, ...more };
	expect((await world.call("/sign-in/email", { tenant, browser, body })).status).toBe(200);
	return browser;
};

const signInAgain = async (times: number, signInOnce: () => Promise<Browser>): Promise<Browser[]> => {
	const browsers: Browser[] = [];
	for (let time = 0; time < times; time += 1) browsers.push(await signInOnce());
	return browsers;
};

const isAlive = async (world: World, browser: Browser): Promise<boolean> =>
	(await world.call("/get-session", { browser: browser.copy() })).json !== null;

const aliveIn = async (world: World, browsers: Browser[]): Promise<boolean[]> => {
	const found: boolean[] = [];
	for (const browser of browsers) found.push(await isAlive(world, browser));
	return found;
};

const countListed = async (world: World, browser: Browser): Promise<number> =>
	(await world.call("/list-sessions", { browser: browser.copy() })).json.length;

const sessionKeys = async (world: World): Promise<string[]> =>
	(await world.redisKeys()).filter((key) => /^tenant:[^:]+:(impersonated-|admin-)?[A-Za-z0-9]{32}~/.test(key));

const yes = (times: number): boolean[] => Array.from({ length: times }, () => true);
const no = (times: number): boolean[] => yes(times).map(() => false);

describe.each(STORES)("more sessions of one user than limits.sessionsPerUser, in %s", (_, where) => {
	// threat 173
	it("end, the oldest first, and those of other users and tenants do not", async () => {
		const { world, a, first, beside, neighbor } = await createSignedIn(10, where());
		const browsers = [first, ...(await signInAgain(14, () => signIn(world, a)))];
		expect(await aliveIn(world, browsers)).toEqual([...no(5), ...yes(10)]);
		expect(await countListed(world, browsers[14] ?? first)).toBe(10);
		expect(await aliveIn(world, [beside, neighbor])).toEqual([true, true]);
		expect([await countListed(world, beside), await countListed(world, neighbor)]).toEqual([1, 1]);
	});

	it("never end the new one, also if it expires first or the clock of the process is behind", async () => {
		const { world, a } = await createSignedIn(3, where());
		await signInAgain(3, () => signIn(world, a));
		passTime(-60_000);
		const behind = await signIn(world, a);
		expect(await isAlive(world, behind)).toBe(true);
		passTime(60_000);
		const forADay = await signIn(world, a, { rememberMe: false });
		const [second] = await signInAgain(2, () => signIn(world, a));
		expect(await aliveIn(world, [forADay, second ?? forADay])).toEqual([true, true]);
		await signIn(world, a);
		expect(await isAlive(world, forADay)).toBe(false);
	});

	it("end in whichever way the user signs in, also by server code", async () => {
		const { world, a, first, beside, userId } = await createSignedIn(3, where());
		const { internalAdapter } = await world.auth.$context;
		for (let count = 0; count < 3; count += 1) {
			passTime(1_000);
			await runWithTenant(a, () => internalAdapter.createSession(userId));
		}
		expect(await aliveIn(world, [first, beside])).toEqual([false, true]);
	});

	it("end on the platform, too", async () => {
		const { world, first } = await createSignedIn(2, where());
		const operator = await world.signUp(undefined, ADA);
		const again = await signInAgain(2, () => signIn(world, undefined));
		expect(await aliveIn(world, [operator, ...again, first])).toEqual([false, true, true, true]);
	});

	// threat 173
	it("do not end the session of an operator, nor the operator's sessions those of the user", async () => {
		const { world, a, userId } = await createSignedIn(3, where());
		const { internalAdapter } = await world.auth.$context;
		const impersonate = async (): Promise<string> => {
			passTime(1_000);
			const body = { tenantId: a, userId, reason: "ticket 4711" };
			const answer = await world.call("/tenant/impersonate", { operator: true, body });
			expect(answer.status).toBe(200);
			return answer.json.token;
		};
		const actAs = (token: string): Promise<boolean> =>
			runWithTenant(a, async () => (await internalAdapter.findSession(token)) !== null);
		const operator = await impersonate();
		const own = await signInAgain(5, () => signIn(world, a));
		expect(await actAs(operator)).toBe(true);
		expect(await aliveIn(world, own)).toEqual([...no(2), ...yes(3)]);
		for (let time = 0; time < 3; time += 1) expect(await actAs(await impersonate())).toBe(true);
		expect(await actAs(operator)).toBe(false);
		expect(await aliveIn(world, own)).toEqual([...no(2), ...yes(3)]);
	});

	it("stay without the limit", async () => {
		const { world, a, first } = await createSignedIn(false, where());
		const browsers = await signInAgain(12, () => signIn(world, a));
		expect(await countListed(world, first)).toBe(13);
		expect(await aliveIn(world, browsers)).toEqual(yes(12));
	});
});

describe("sessions beyond the limit that end", () => {
	it.each(STORES.filter(([name]) => name !== "Redis only"))(
		"tell the hooks of the application: %s",
		async (_, where) => {
			const { world, a, ended } = await createSignedIn(3, where());
			await signInAgain(5, () => signIn(world, a));
			expect(new Set(ended).size).toBe(3);
		},
	);

	it.each([
		["Redis only", {}],
		["Redis and the database", BOTH],
	])("leave no copy and no entry of the list: %s", async (_, session) => {
		const { world, a, userId } = await createSignedIn(3, { redis: true, engine: { session } });
		await signInAgain(9, () => signIn(world, a));
		const keys = await sessionKeys(world);
		expect(keys.filter((key) => key.startsWith(`tenant:${a}:`))).toHaveLength(3 + 1);
		const { secondaryStorage } = (await world.auth.$context).options;
		const list = String(await runWithTenant(a, async () => secondaryStorage?.get(`active-sessions-${userId}`)));
		expect(JSON.parse(list)).toHaveLength(3);
	});

	it.each(["sqlite", "postgres", "mysql"] as const)(
		"are ended by the thousand if there were more before the limit: %s",
		async (database) => {
			const { world, a, userId, first, neighbor } = await createSignedIn(false, { database });
			const { internalAdapter } = await world.auth.$context;
			await runWithTenant(a, async () => {
				for (let count = 0; count < 1_500; count += 1) await internalAdapter.createSession(userId);
			});
			const { createSession, listSessions } = await withLimit(world, 10);
			const count = async () => (await runWithTenant(a, () => listSessions(userId))).length;
			expect(await count()).toBe(1_501);
			const left: number[] = [];
			for (let time = 0; time < 3; time += 1) {
				passTime(1_000);
				await runWithTenant(a, () => createSession(userId));
				left.push(await count());
			}
			expect(left).toEqual([502, 10, 10]);
			expect(await aliveIn(world, [first, neighbor])).toEqual([false, true]);
		},
	);
});

/** Another process with the same database. */
const withLimit = async (world: World, sessionsPerUser: number) => {
	const plugin = tenantAuth({ management: { keys: [MANAGEMENT_KEY] }, limits: { sessionsPerUser } });
	return (await betterAuth({ ...world.options, plugins: [plugin] }).$context).internalAdapter;
};

describe("without secondary storage", () => {
	it("an ordinary sign-in sends no statement more", async () => {
		const [bounded, unbounded] = [await createSignedIn(200), await createSignedIn(false)];
		const countStatements = async ({ world, a }: typeof bounded, times: number): Promise<number> => {
			world.database.statements.length = 0;
			await signInAgain(times, () => signIn(world, a));
			return world.database.statements.length;
		};
		const sent = await countStatements(bounded, 18);
		expect(sent).toBe(await countStatements(unbounded, 18));
		// the 20th session that this process created for the user
		expect(await countStatements(bounded, 1)).toBe(sent / 18 + 1);
	});

	// threat 173
	it("each process adds at most a tenth of the limit, and neighbors are counted apart", async () => {
		const { world, a, first, neighbor } = await createSignedIn(20, { database: "postgres" });
		const other = await withLimit(world, 20);
		const { user } = (await world.call("/get-session", { browser: first.copy() })).json;
		const most: number[] = [];
		for (let round = 0; round < 25; round += 1) {
			const browser = await signIn(world, a);
			passTime(1_000);
			await runWithTenant(a, () => other.createSession(user.id));
			most.push(await countListed(world, browser));
		}
		expect(Math.max(...most)).toBeLessThanOrEqual(20 + 2 * (2 - 1));
		expect(most.at(-1)).toBeGreaterThanOrEqual(20);
		expect(await countListed(world, neighbor)).toBe(1);
	});
});

describe("sign-ins at the same time, with sessions in Redis only,", () => {
	const MAX = 5;
	const AT_ONCE = 20;
	const flood = async (limit: number | false) => {
		const { world, a, userId, neighbor, beside } = await createSignedIn(limit, { redis: true });
		const { internalAdapter } = await world.auth.$context;
		const signIn = () =>
			runWithRequestState(new WeakMap(), () => runWithTenant(a, () => internalAdapter.createSession(userId)));
		for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: AT_ONCE }, signIn));
		const listed = async () => (await runWithTenant(a, () => internalAdapter.listSessions(userId))).length;
		// without those of the two others
		const kept = async () => (await sessionKeys(world)).length - 2;
		return { world, signIn, listed, kept, neighbor, beside };
	};

	// threat 173
	it("are all listed", async () => {
		const { listed, kept } = await flood(false);
		expect([await listed(), await kept()]).toEqual([201, 201]);
	});

	// threat 173
	it("leave no more than the limit and those at the same time, and the next one ends these", async () => {
		const { world, signIn, listed, kept, neighbor, beside } = await flood(MAX);
		expect(await kept()).toBe(await listed());
		expect(await kept()).toBeLessThanOrEqual(MAX + AT_ONCE);
		await signIn();
		expect([await listed(), await kept()]).toEqual([MAX, MAX]);
		expect(await aliveIn(world, [neighbor, beside])).toEqual([true, true]);
	});
});

describe("requests that walk over all sessions of a user", () => {
	const MORE = 40;

	// threat 173
	it.each([
		["PostgreSQL", { database: "postgres" }],
		["Redis only", { database: "postgres", redis: true }],
		["Redis and PostgreSQL", { database: "postgres", redis: true, engine: { session: BOTH } }],
	] as const)(
		"send as many statements for many sessions as for one, or a few for each that ends: %s",
		async (_, where) => {
			const { world, a, first, userId } = await createSignedIn(MORE, where);
			const { internalAdapter } = await world.auth.$context;
			const fill = async () => {
				for (let count = 0; count < MORE; count += 1)
					await runWithTenant(a, () => internalAdapter.createSession(userId));
			};
			const statementsOf = async (path: string, body?: object): Promise<number> => {
				world.database.statements.length = 0;
				const answer = await world.call(path, { tenant: a, browser, ...(body ? { body } : {}) });
				expect([path, answer.status, answer.code]).toEqual([path, 200, undefined]);
				return world.database.statements.length;
			};
			const walks = async () => [
				await statementsOf("/list-sessions"),
				await statementsOf("/update-user", { name: "Grace" }),
				await statementsOf("/sign-in/email", { email: ADA, password: PASSWORD }),
			];
			let browser = first;
			const one = await walks();
			await fill();
			browser = await signIn(world, a);
			await signIn(world, a);
			const many = await walks();
			const [list = 0, update = 0, again = 0] = many;
			expect([list, update]).toEqual(one.slice(0, 2));
			// looks for the oldest, finds it for hooks, deletes it
			expect(again).toBeLessThanOrEqual((one[2] ?? 0) + 3);
			expect(await statementsOf("/revoke-other-sessions", {})).toBeLessThanOrEqual(5 * MORE);
		},
	);
});
