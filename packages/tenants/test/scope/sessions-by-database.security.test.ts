import type { SecondaryStorage } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { redisStorage } from "@better-auth/redis-storage";
import type { BetterAuthOptions } from "better-auth";
import { Redis } from "ioredis";
import { Browser } from "test-kit/browser";
import { createWorld, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { sessionsByDatabase } from "../../src/scope/sessions/sessions-by-database.ts";

const REDIS_URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

/** Two tenants with a user of the same email, whose sessions are in the database and in a Redis that can fail. */
const createMirrored = async (session: BetterAuthOptions["session"] = {}) => {
	const client = new Redis(REDIS_URL, { maxRetriesPerRequest: 1 });
	client.on("error", () => {});
	onTestFinished(() => client.disconnect());
	const keyPrefix = `tenants-mirrored-${crypto.randomUUID()}:`;
	const storage = redisStorage({ client, keyPrefix });
	onTestFinished(async () => {
		await client.connect().catch(() => {});
		await storage.clear();
	});
	const world = await createWorld({
		engine: {
			secondaryStorage: storage,
			session: { storeSessionInDatabase: true, ...session },
			verification: { storeInDatabase: true },
		},
	});
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const first = await world.signUp(a, "ada@example.com");
	const second = await signIn(world, a);
	const other = await world.signUp(b, "ada@example.com");
	const keys = (): Promise<string[]> => client.keys(`${keyPrefix}*`);
	return {
		world,
		a,
		first,
		second,
		other,
		empty: () => storage.clear(),
		/** Deletes the lists of users' sessions, but not the sessions. */
		loseLists: async () => void (await client.del((await keys()).filter((key) => key.includes("active-sessions-")))),
		/** The keys of sessions, which end in the tag of their tenant. */
		sessionKeys: async () => (await keys()).filter((key) => key.includes("~")),
		lose: () => client.disconnect(),
		comeBack: () => client.connect(),
	};
};

const signIn = async (world: World, tenant: string): Promise<Browser> => {
	const browser = new Browser();
	const { status } = await world.call("/sign-in/email", {
		tenant,
		browser,
		body: { email: "ada@example.com", password: PASSWORD },
	});
	expect(status).toBe(200);
	return browser;
};

const isSignedIn = async (world: World, browser: Browser): Promise<boolean> =>
	(await world.call("/get-session", { browser: browser.copy() })).json !== null;

const countListed = async (world: World, browser: Browser): Promise<number> =>
	(await world.call("/list-sessions", { browser })).json.length;

describe("sessions that are also in the database, after the storage lost its data,", () => {
	it("are listed, and the sessions of other tenants are not", async () => {
		const { world, a, first, other, empty } = await createMirrored();
		await empty();
		expect(await countListed(world, first)).toBe(2);
		expect(await countListed(world, other)).toBe(1);
		const third = await signIn(world, a);
		expect(await countListed(world, third)).toBe(3);
		// once the new list exists
		expect(await countListed(world, first)).toBe(3);
	});

	// threat 96
	it("end when the user ends all others, or all", async () => {
		const { world, first, second, other, empty } = await createMirrored();
		await empty();
		expect((await world.call("/revoke-other-sessions", { browser: first, body: {} })).status).toBe(200);
		expect([await isSignedIn(world, first), await isSignedIn(world, second)]).toEqual([true, false]);
		expect((await world.call("/revoke-sessions", { browser: first.copy(), body: {} })).status).toBe(200);
		expect(await isSignedIn(world, first)).toBe(false);
		expect(await isSignedIn(world, other)).toBe(true);
	});

	// threat 96
	it("are not copied back into the storage, where an ended one could be among them", async () => {
		const { world, first, empty, sessionKeys } = await createMirrored();
		await empty();
		expect((await world.call("/update-user", { browser: first, body: { name: "Grace" } })).status).toBe(200);
		expect(await countListed(world, first)).toBe(2);
		expect(await sessionKeys()).toEqual([]);
	});

	it("end when the user ends all others, if only the list was lost", async () => {
		const { world, first, second, loseLists } = await createMirrored();
		await loseLists();
		expect((await world.call("/revoke-other-sessions", { browser: first, body: {} })).status).toBe(200);
		expect([await isSignedIn(world, first), await isSignedIn(world, second)]).toEqual([true, false]);
	});

	it("end with a changed password, if only the list was lost", async () => {
		const { world, first, second, loseLists } = await createMirrored();
		await loseLists();
		const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2`, revokeOtherSessions: true };
		expect((await world.call("/change-password", { browser: first, body })).status).toBe(200);
		expect([await isSignedIn(world, first), await isSignedIn(world, second)]).toEqual([true, false]);
	});
});

describe("sessions that are also in the database, while the storage is down,", () => {
	it.each([
		["that are young", {}],
		["that are to be refreshed", { updateAge: 0 }],
	])("are checked: those %s", async (_name, session) => {
		const { world, a, first, other, lose } = await createMirrored(session);
		lose();
		for (let check = 0; check < 2; check += 1)
			expect((await world.call("/get-session", { browser: first })).json.session.tenantId).toBe(a);
		// no session of another tenant, and none that does not exist
		expect((await world.call("/get-session", { browser: other.copy(), tenant: a })).json).toBeNull();
		expect((await world.call("/get-session", { browser: new Browser() })).json).toBeNull();
	});

	// threat 96
	it("do not end, and nobody is told that they did", async () => {
		const { world, first, second, lose, comeBack } = await createMirrored();
		lose();
		for (const [path, body] of [
			["/sign-out", {}],
			["/revoke-other-sessions", {}],
			["/revoke-sessions", {}],
			["/change-password", { currentPassword: PASSWORD, newPassword: `${PASSWORD} 2`, revokeOtherSessions: true }],
		] as const)
			expect([path, (await world.call(path, { browser: first, body })).status >= 500]).toEqual([path, true]);
		await comeBack();
		expect([await isSignedIn(world, first), await isSignedIn(world, second)]).toEqual([true, true]);
	});

	// threat 96
	it("serve nothing but the check: a change would be undone when the storage is back", async () => {
		const { world, first, lose, comeBack } = await createMirrored();
		lose();
		const renamed = await world.call("/update-user", { browser: first, body: { name: "Grace" } });
		expect(renamed.status).toBeGreaterThanOrEqual(500);
		expect((await world.call("/list-accounts", { browser: first })).status).toBe(503);
		await comeBack();
		expect((await world.call("/get-session", { browser: first })).json.user.name).toBe("Ada");
		expect(await world.database.query('select distinct "name" from "user"')).toEqual([{ name: "Ada" }]);
	});

	// threat 96
	it("are not listed: whoever ends them must also end them in the storage", async () => {
		const down = { get: () => Promise.reject(new Error("down")) } as unknown as SecondaryStorage;
		const storage = sessionsByDatabase(down, {} as DBAdapter, { current: () => "platform" });
		await expect(storage.get("active-sessions-ada")).rejects.toThrow("down");
	});

	it("are not checked if the database also keeps ended ones", async () => {
		const { world, first, lose } = await createMirrored({ preserveSessionInDatabase: true });
		lose();
		expect((await world.call("/get-session", { browser: first })).status).toBeGreaterThanOrEqual(500);
	});
});
