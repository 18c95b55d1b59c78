import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { startRedis, until } from "test-kit/servers/redis-server";
import { afterEach, expect, it, vi } from "vitest";
import { watchingOutages } from "../../src/database/outage.ts";
import { createRedis } from "../../src/redis/client.ts";
import { createStorage } from "../../src/redis/storage.ts";
import { keepLines } from "../auth/lines.ts";
import { startSlowProxy } from "../support/slow-proxy.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const config = (given: Partial<Parameters<typeof createRedis>[0]>) => ({
	url: undefined,
	sentinels: [],
	name: "mymaster",
	password: undefined,
	sentinelPassword: undefined,
	keyPrefix: "auth:",
	waitReplicas: 0,
	...given,
});

const server = async (kind?: Parameters<typeof startRedis>[0]) => {
	const started = await startRedis(kind);
	closers.push(started.close);
	return started;
};

const connect = (given: Parameters<typeof config>[0]) => {
	const { logger, lines } = keepLines();
	const redis = createRedis(config(given), logger);
	closers.push(() => redis.disconnect());
	return { redis, storage: createStorage(redis, config(given), () => "test"), lines };
};

/** The error of a call, or null if it succeeds. */
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
	work.then(
		() => null,
		(caught: unknown) => caught,
	);

/**
 * Why a write is refused. Retries if the machine stalled and the client gave up before Redis could respond, or if a failover
 * still closes connections.
 */
const refusalOf = async (write: () => Promise<unknown>): Promise<string> => {
	for (;;) {
		const error = await errorOf(write());
		if (!/timed out|connection close|ECONNREFUSED|ECONNRESET/i.test(String(error))) return String(error);
	}
};

const everyWrite = async (storage: ReturnType<typeof createStorage>) => {
	await storage.set("plain", "1");
	await storage.set("short", "2", 100);
	await storage.delete("plain");
	return storage.getAndDelete("short");
};

it("stores, counts, consumes and lists the engine's values", async () => {
	const { url } = await server();
	for (const waitReplicas of [0, 1]) {
		if (waitReplicas > 0) await server({ of: Number(new URL(url).port) });
		const { redis, storage } = connect({ url, waitReplicas, keyPrefix: `p${waitReplicas}:` });
		await storage.set("session", "value", 60);
		expect(await storage.get("session")).toBe("value");
		expect(await redis.ttl(`p${waitReplicas}:test:session`)).toBeGreaterThan(50);
		expect(await storage.listKeys()).toEqual(["session"]);
		expect(await storage.getAndDelete("session")).toBe("value");
		expect(await storage.getAndDelete("session")).toBeNull();
		expect([await storage.increment("count", 60), await storage.increment("count", 60)]).toEqual([1, 2]);
		await storage.set("gone", "value");
		await storage.delete("gone");
		expect(await storage.get("gone")).toBeNull();
	}
});

// threat 95
it("finds the keys of one tenant, whatever characters the key prefix contains", async () => {
	const { url } = await server();
	await server({ of: Number(new URL(url).port) });
	for (const waitReplicas of [0, 1]) {
		// as a pattern, this one also matches the keys of the other
		const { storage } = connect({ url, waitReplicas, keyPrefix: "a[bc]*?\\:" });
		const { storage: other } = connect({ url, waitReplicas, keyPrefix: "abcd:" });
		for (const each of [storage, other])
			for (const key of ["tenant:acme:1", "tenant:acme:2", "tenant:acme2:1", "tenant:acm:1", "plain"])
				await each.set(key, "value");
		const found: string[] = [];
		for await (const keys of storage.scanKeys("tenant:acme:")) found.push(...keys);
		expect(found.sort()).toEqual(["tenant:acme:1", "tenant:acme:2"]);
	}
});

it("notices an outage while it looks for keys", async () => {
	const redisServer = await server();
	const { storage } = connect({ url: redisServer.url });
	const look = () =>
		watchingOutages(async () => {
			for await (const keys of storage.scanKeys("tenant:acme:")) expect(keys).toEqual(["tenant:acme:1"]);
		});
	await storage.set("tenant:acme:1", "value");
	expect(await look()).toEqual({ result: undefined, storeFailed: false });
	await redisServer.stop();
	expect(await look()).toMatchObject({ error: expect.any(Error), storeFailed: true });
});

it("completes a write when a replica has it, and fails when none does", async () => {
	const primary = await server();
	const replica = await server({ of: primary.port });
	const { storage } = connect({ url: primary.url, waitReplicas: 1 });
	expect(await everyWrite(storage)).toBe("2");

	await replica.stop();
	for (const write of [
		() => storage.set("a", "1"),
		() => storage.set("b", "1", 60),
		() => storage.delete("a"),
		() => storage.getAndDelete("b"),
	]) {
		expect(await refusalOf(write)).toMatch(/0 of 1 Redis replicas/);
	}
	// reads and counters still work
	expect(await storage.increment("count", 60)).toBe(1);
	expect(await storage.get("nothing")).toBeNull();

	await replica.start();
	expect(await everyWrite(storage)).toBe("2");
});

it("reads while writes wait for a slow replica", async () => {
	const primary = await server();
	const replica = await server({ of: primary.port });
	const { storage } = connect({ url: primary.url, waitReplicas: 1 });
	await storage.set("session", "value");
	replica.freeze();
	const done: string[] = [];
	const writes = ["a", "b", "c"].map((key) => storage.set(key, "1").finally(() => done.push("write")));
	const ended = Promise.allSettled(writes);
	await storage.get("session");
	// the writes take half a second each, one after the other, and a read behind them would be last
	done.push("read");
	for (const { status } of await ended) expect(status).toBe("rejected");
	expect(done.at(-1)).toBe("write");
	replica.thaw();
});

it("fails instead of waiting while Redis is down, logs it once, and reconnects", async () => {
	const redisServer = await server({ password: "hunter2" });
	const { redis, storage, lines } = connect({ url: redisServer.url });
	await storage.set("session", "value");
	await redisServer.stop();
	for (let attempt = 0; attempt < 4; attempt += 1) {
		await expect(storage.get("session")).rejects.toThrow();
	}
	await until(async () => lines.some((line) => line.includes("does not respond")));
	await redisServer.start();
	await until(async () => (await errorOf(storage.get("session"))) === null);
	expect(redis.status).toBe("ready");
	expect(lines.filter((line) => line.includes("does not respond"))).toHaveLength(1);
	expect(lines.filter((line) => line.includes("responds again"))).toHaveLength(1);
	expect(lines.join("")).not.toContain("hunter2");
});

it("counts in the process while Redis is down", async () => {
	const redisServer = await server();
	const { redis, storage } = connect({ url: redisServer.url });
	// before the connection, it waits for it
	expect(await storage.increment("limit", 60)).toBe(1);
	await redisServer.stop();
	await until(async () => redis.status !== "ready");
	expect([await storage.increment("limit", 60), await storage.increment("limit", 60)]).toEqual([1, 2]);
	expect(await storage.increment("other", 60)).toBe(1);
	// such a request is served, so it met no outage
	expect((await watchingOutages(() => storage.increment("limit", 60))).storeFailed).toBe(false);
});

it("fails instead of waiting while Redis hangs", async () => {
	const redisServer = await server();
	const { storage } = connect({ url: redisServer.url });
	await storage.set("session", "value");
	redisServer.freeze();
	for (let attempt = 0; attempt < 3; attempt += 1) {
		await expect(storage.get("session")).rejects.toThrow();
	}
	redisServer.thaw();
	await until(async () => (await errorOf(storage.get("session"))) === null);
});

it("follows the Sentinels to the new primary, without losing acknowledged writes", async () => {
	const primary = await server({ password: "hunter2" });
	const replica = await server({ of: primary.port, password: "hunter2" });
	const sentinel = await server({ watching: primary.port, password: "hunter2" });
	await until(async () => (await replicasKnown(sentinel.port)) === 1);
	const sentinels = [{ host: "127.0.0.1", port: sentinel.port }];
	const { redis, storage } = connect({ sentinels, password: "hunter2", waitReplicas: 1 });
	await storage.set("session", "value");
	expect(redis.stream.remotePort).toBe(primary.port);

	await primary.stop();
	// a Sentinel that notices a stall of the machine does nothing for 30 s
	await until(async () => (await errorOf(storage.get("session"))) === null, 90);
	expect(redis.stream.remotePort).toBe(replica.port);
	expect(await storage.get("session")).toBe("value");
	// the new primary has no replica yet
	expect(await refusalOf(() => storage.set("other", "value"))).toMatch(/0 of 1 Redis replicas/);
	const { storage: patient } = connect({ sentinels, password: "hunter2" });
	await patient.set("other", "value");
}, 150_000);

it("prints nothing while a Sentinel is down, and keeps working", async () => {
	const printed = vi.spyOn(console, "error");
	const primary = await server();
	const sentinel = await server({ watching: primary.port });
	const { redis, storage } = connect({ sentinels: [{ host: "127.0.0.1", port: sentinel.port }] });
	const subscribed = new Promise((resolve) => redis.once("failoverSubscribed", resolve));
	await storage.set("session", "value");
	await subscribed;
	const retried = new Promise((resolve) => redis.once("sentinelReconnecting", resolve));
	await sentinel.stop();
	await retried;
	await wait(1_000);
	expect(await storage.get("session")).toBe("value");
	expect(printed).not.toHaveBeenCalled();
	printed.mockRestore();
});

it("recovers if the Sentinels announce the new primary during the lookup", async () => {
	const primary = await server();
	await server({ of: primary.port });
	const sentinel = await server({ watching: primary.port });
	await until(async () => (await replicasKnown(sentinel.port)) === 1);
	// slow enough to hit the moment
	const far = await startSlowProxy(sentinel.port, 300);
	closers.push(far.close);
	const sentinels = [{ host: "127.0.0.1", port: far.port }];
	for (const waitReplicas of [0, 1]) {
		const { redis, storage } = connect({ sentinels, waitReplicas });
		await until(async () => (await errorOf(storage.set("session", "value"))) === null);
		const ended = new Promise((resolve) => redis.once("end", resolve));
		// in the tick in which the lookup starts: polling would miss it on a busy machine
		const connecting = new Promise((resolve) => redis.once("connecting", resolve));
		redis.disconnect(true);
		await connecting;
		// like ioredis does on an announcement
		(redis as unknown as { connector: { disconnect: () => void } }).connector.disconnect();
		await ended;
		await until(async () => (await errorOf(storage.get("session"))) === null);
		await until(async () => (await errorOf(storage.set("session", "value"))) === null);
		redis.disconnect();
		await until(async () => redis.status === "end");
		await wait(200);
		expect(redis.status).toBe("end");
	}
}, 120_000);

it("looks up the primary again when a replica refuses a write", async () => {
	const first = await server();
	const second = await server();
	const { redis, storage } = connect({ url: first.url });
	await storage.set("session", "value");
	const reconnected = new Promise((resolve) => redis.once("close", resolve));
	await redis.replicaof("127.0.0.1", second.port);
	await expect(storage.set("session", "other")).rejects.toThrow(/READONLY/);
	await reconnected;
}, 30_000);

const replicasKnown = async (sentinelPort: number): Promise<number> => {
	const client = new Redis(sentinelPort, "127.0.0.1");
	try {
		const replicas = await client.call("sentinel", "replicas", "mymaster");
		return Array.isArray(replicas) ? replicas.length : 0;
	} finally {
		client.disconnect();
	}
};
