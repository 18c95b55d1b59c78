import { randomBytes } from "node:crypto";
import { redisStorage } from "@better-auth/redis-storage";
import { Redis } from "ioredis";
import { createWorld } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { type KeyScan, withKeyScan } from "../../src/index.ts";
import { storageKey, storagePrefix } from "../../src/scope/data/storage.ts";

const URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

/** A client, and a beginning of keys that no other test uses. */
const connect = (options: { keyPrefix?: string } = {}) => {
	const client = new Redis(URL, options);
	const admin = new Redis(URL);
	const own = randomBytes(6).toString("hex");
	onTestFinished(async () => {
		const keys = await admin.keys(`*${own}*`);
		if (keys.length > 0) await admin.del(...keys);
		await Promise.all([client.quit(), admin.quit()]);
	});
	return { client, admin, own };
};

const scan = async (storage: KeyScan, prefix: string): Promise<string[]> => {
	const found = new Set<string>();
	for await (const keys of storage.scanKeys(prefix)) for (const key of keys) found.add(key);
	return [...found].sort();
};

// threat 95
describe("a Redis storage with withKeyScan", () => {
	it("finds the keys of one tenant: not those of ids that begin with it, of the platform or of other storages", async () => {
		const { client, own } = connect();
		const storage = withKeyScan(redisStorage, { client, keyPrefix: `${own}:` });
		const elsewhere = redisStorage({ client, keyPrefix: `${own}2:` });
		const keysOf = (tenant: string) =>
			["token", "active-sessions-1", "tenant:acme:x"].map((key) => storageKey(tenant, key));
		for (const tenant of ["acme", "acme2", "acm", "ACME", "platform"])
			for (const key of keysOf(tenant)) await Promise.all([storage.set(key, "1"), elsewhere.set(key, "1")]);
		expect(await scan(storage, storagePrefix("acme"))).toEqual(keysOf("acme").sort());
		expect(await scan(storage, storagePrefix("acm"))).toEqual(keysOf("acm").sort());
		expect(await scan(storage, storagePrefix("nobody"))).toEqual([]);
	});

	it("takes every character of the key prefix literally", async () => {
		const { client, own } = connect();
		// as a pattern, it matches the second one and not itself
		const prefixes = [`${own}a[bc]*?\\:`, `${own}abcd:`];
		for (const keyPrefix of prefixes) {
			await redisStorage({ client, keyPrefix }).set("tenant:acme:1", "1");
			await redisStorage({ client, keyPrefix }).set("tenant:acme2:1", "1");
		}
		for (const keyPrefix of prefixes)
			expect(await scan(withKeyScan(redisStorage, { client, keyPrefix }), "tenant:acme:")).toEqual(["tenant:acme:1"]);
	});

	it("finds keys if the client has a prefix, too", async () => {
		const name = randomBytes(6).toString("hex");
		const { client, admin, own } = connect({ keyPrefix: `*${name}:` });
		const storage = withKeyScan(redisStorage, { client, keyPrefix: `${own}:` });
		await storage.set("tenant:acme:1", "1");
		await redisStorage({ client: admin, keyPrefix: `x${name}:${own}:` }).set("tenant:acme:2", "1");
		expect(await scan(storage, "tenant:acme:")).toEqual(["tenant:acme:1"]);
		await storage.delete("tenant:acme:1");
		expect(await scan(storage, "tenant:acme:")).toEqual([]);
	});

	it("has the key prefix that the storage has by default", async () => {
		const { client, own } = connect();
		await redisStorage({ client }).set(`tenant:${own}:1`, "1");
		const storage = withKeyScan(redisStorage, { client });
		expect(await storage.get(`tenant:${own}:1`)).toBe("1");
		expect(await scan(storage, `tenant:${own}:`)).toEqual([`tenant:${own}:1`]);
	});

	it("is asked for the keys of a tenant, never of the platform", () => {
		expect(storagePrefix("acme")).toBe("tenant:acme:");
		expect(() => storagePrefix("platform")).toThrow("have no prefix");
	});
});

/** A storage in memory that can list its keys, and the names that a deletion was given at once. */
const createMemory = (pageOf: (keys: string[], prefix: string) => string[][], method: "scanKeys" | "listKeys") => {
	const stored = new Map<string, string>();
	const take = (key: string) => {
		const value = stored.get(key) ?? null;
		stored.delete(key);
		return value;
	};
	const scanKeys = async function* (prefix: string) {
		for (const page of pageOf([...stored.keys()], prefix)) yield page;
	};
	const storage = {
		get: (key: string) => stored.get(key) ?? null,
		getAndDelete: take,
		set: (key: string, value: string) => void stored.set(key, value),
		delete: (key: string) => void stored.delete(key),
		increment: () => 1,
		...(method === "scanKeys" ? { scanKeys } : { listKeys: async () => [...stored.keys()] }),
	};
	return { storage, keysOf: (tenant: string) => [...stored.keys()].filter((key) => key.includes(`:${tenant}:`)) };
};

// threats 43 and 95
describe.each([
	["that scans and returns the keys of all tenants", "scanKeys"],
	["that lists all keys", "listKeys"],
] as const)("deleting a tenant with a storage %s", (_name, method) => {
	it("deletes its keys and no other tenant's", async () => {
		const { storage, keysOf } = createMemory((keys) => [keys, [], keys], method);
		const world = await createWorld({ engine: { secondaryStorage: storage } });
		const [gone, stays] = [await world.newTenant(), await world.newTenant()];
		for (const tenant of [gone, stays]) {
			await world.signUp(tenant, "ada@example.com");
			await world.call("/request-password-reset", { tenant, body: { email: "ada@example.com", redirectTo: "/reset" } });
		}
		await world.signUp(undefined, "ada@example.com");
		// a longer id, whose keys begin with the same letters
		storage.set(storageKey(`${gone}2`, "token"), "1");
		const [untouched, all] = [keysOf(stays), keysOf(gone)];
		expect(all.length).toBe(untouched.length);
		expect(all.length).toBeGreaterThan(2);
		await world.call("/tenant/delete", { operator: true, body: { tenantId: gone } });
		expect([keysOf(gone), keysOf(stays), keysOf(`${gone}2`)]).toEqual([[], untouched, [`tenant:${gone}2:token`]]);
		expect(storage.get(`active-sessions-${await userOfPlatform(world)}`)).not.toBeNull();
	});
});

const userOfPlatform = async (world: Awaited<ReturnType<typeof createWorld>>) =>
	(await world.database.query(`select "id" from "user" where "tenantId" = 'platform'`))[0]?.id;
