import type { SecondaryStorage } from "@better-auth/core/db";
import { redisStorage } from "@better-auth/redis-storage";
import type { BetterAuthOptions } from "better-auth";
import { multiSession } from "better-auth/plugins/multi-session";
import { Redis } from "ioredis";
import { Browser } from "test-kit/browser";
import { createWorld, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";

const REDIS_URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";
const ADA = "ada@example.com";
const UNAVAILABLE = { status: 503, code: "STORE_UNAVAILABLE" };

type Operation = "get" | "set" | "delete";

/** Two tenants with a user of the same email, and a Redis of which single operations can fail. */
const createFailing = async (session: BetterAuthOptions["session"] = {}, plugins = [multiSession()]) => {
	const client = new Redis(REDIS_URL);
	const whole = redisStorage({ client, keyPrefix: `tenants-failing-${crypto.randomUUID()}:` });
	onTestFinished(async () => {
		await whole.clear();
		client.disconnect();
	});
	let fails = (_operation: Operation): boolean => false;
	const unlessFailing = async <Result>(operation: Operation, run: () => Result | Promise<Result>): Promise<Result> => {
		if (fails(operation)) throw new Error(`Redis does not ${operation}`);
		return run();
	};
	const storage: SecondaryStorage = {
		...whole,
		get: (key) => unlessFailing("get", () => whole.get(key)),
		set: (key, value, ttl) => unlessFailing("set", () => whole.set(key, value, ttl)),
		delete: (key) => unlessFailing("delete", () => whole.delete(key)),
	};
	const world = await createWorld({
		engine: { secondaryStorage: storage, session, verification: { storeInDatabase: true } },
		plugins,
	});
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const first = await world.signUp(a, ADA);
	const second = await signIn(world, a);
	const other = await world.signUp(b, ADA);
	return {
		world,
		first,
		second,
		other,
		/** Lets operations fail, or none. */
		fail: (when: (operation: Operation) => boolean): void => {
			fails = when;
		},
	};
};

const signIn = async (world: World, tenant: string): Promise<Browser> => {
	const browser = new Browser();
	const { status } = await world.call("/sign-in/email", { tenant, browser, body: { email: ADA, password: PASSWORD } });
	expect(status).toBe(200);
	return browser;
};

const userOf = async (world: World, browser: Browser) =>
	(await world.call("/get-session", { browser: browser.copy() })).json?.user ?? null;

const changedPassword = { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2`, revokeOtherSessions: true };

describe.each([
	["in the storage", {}],
	["in the storage and the database", { storeSessionInDatabase: true }],
])("a storage that fails while it ends sessions that are %s", (_name, session) => {
	// threat 96
	it.each([
		["/revoke-sessions", {}],
		["/change-password", changedPassword],
	])("is not reported as a success: %s", async (path, body) => {
		const { world, first, second, other, fail } = await createFailing(session);
		let deletes = 0;
		fail((operation) => operation === "delete" && ++deletes > 1);
		const cookies = first.header();
		expect(await world.call(path, { browser: first, body })).toMatchObject(UNAVAILABLE);
		expect(first.header()).toBe(cookies);
		fail(() => false);
		// what the storage kept can be ended by a retry, with the cookies that the client has
		for (const browser of [first, second]) await world.call("/revoke-sessions", { browser: browser.copy(), body: {} });
		expect([await userOf(world, first), await userOf(world, second)]).toEqual([null, null]);
		expect(await userOf(world, other)).toMatchObject({ email: ADA });
	});
});

describe("a user whose session is cached in a cookie, while the storage is down,", () => {
	// threat 96
	it.each([
		["in the storage", {}],
		["in the storage and the database", { storeSessionInDatabase: true }],
	])("is not changed, because the storage would come back with the old one: sessions %s", async (_name, session) => {
		const { world, first, other, fail } = await createFailing({
			...session,
			cookieCache: { enabled: true, maxAge: 300 },
		});
		fail(() => true);
		const body = { name: "Grace" };
		expect(await world.call("/update-user", { browser: first, body })).toMatchObject(UNAVAILABLE);
		expect(await world.database.query('select distinct "name" from "user"')).toEqual([{ name: "Ada" }]);
		fail(() => false);
		expect((await world.call("/update-user", { browser: first, body })).status).toBe(200);
		const fresh = async (browser: Browser) =>
			(await world.call("/get-session", { browser: browser.copy(), query: { disableCookieCache: "true" } })).json.user
				.name;
		expect([await fresh(first), await fresh(other)]).toEqual(["Grace", "Ada"]);
	});

	// threat 96
	it("is not reported as changed if the storage fails after the database has changed", async () => {
		const { world, first, fail } = await createFailing({ cookieCache: { enabled: true, maxAge: 300 } });
		fail((operation) => operation === "set");
		expect(await world.call("/update-user", { browser: first, body: { name: "Grace" } })).toMatchObject(UNAVAILABLE);
	});
});

describe("a sign-out of several sessions in one browser", () => {
	// threat 96
	it.each([
		["in the storage", {}],
		["in the storage and the database", { storeSessionInDatabase: true }],
	])("returns 503 while the storage is down, and keeps the cookies: sessions %s", async (_name, session) => {
		const { world, first, other, fail } = await createFailing(session);
		const cookies = first.header();
		fail(() => true);
		const answer = await world.call("/sign-out", { browser: first, body: {} });
		expect(answer).toMatchObject(UNAVAILABLE);
		expect(answer.headers.get("retry-after")).toBe("1");
		expect(first.header()).toBe(cookies);
		fail(() => false);
		const before = first.copy();
		expect((await world.call("/sign-out", { browser: first, body: {} })).status).toBe(200);
		expect([await userOf(world, before), (await userOf(world, other)).email]).toEqual([null, ADA]);
	});
});
