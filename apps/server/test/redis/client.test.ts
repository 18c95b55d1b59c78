import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { startRedis, until } from "test-kit/servers/redis-server";
import { afterEach, expect, it, vi } from "vitest";
import { createRedis } from "../../src/redis/client.ts";
import { keepLines } from "../auth/lines.ts";
import { startSlowProxy } from "../support/slow-proxy.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const config = (given: Partial<Parameters<typeof createRedis>[0]>) => ({
	url: undefined,
	sentinels: [],
	cluster: [],
	name: "mymaster",
	password: undefined,
	sentinelPassword: undefined,
	keyPrefix: "auth:",
	timeout: 150,
	...given,
});

const server = async (kind?: Parameters<typeof startRedis>[0]) => {
	const started = await startRedis(kind);
	closers.push(started.close);
	return started;
};

const connect = (given: Parameters<typeof config>[0]) => {
	const { logger, lines } = keepLines();
	const redis = createRedis(config(given), logger) as Redis;
	closers.push(() => redis.disconnect());
	return { redis, lines };
};

/** The error of a call, or null if it succeeds. */
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
	work.then(
		() => null,
		(caught: unknown) => caught,
	);

it("fails instead of waiting while Redis is down, logs it once, and reconnects", async () => {
	const redisServer = await server({ password: "hunter2" });
	const { redis, lines } = connect({ url: redisServer.url });
	await redis.set("session", "value");
	await redisServer.stop();
	for (let attempt = 0; attempt < 4; attempt += 1) {
		await expect(redis.get("session")).rejects.toThrow();
	}
	await until(async () => lines.some((line) => line.includes("does not respond")));
	await redisServer.start();
	await until(async () => (await errorOf(redis.get("session"))) === null);
	expect(redis.status).toBe("ready");
	expect(lines.filter((line) => line.includes("does not respond"))).toHaveLength(1);
	expect(lines.filter((line) => line.includes("responds again"))).toHaveLength(1);
	expect(lines.join("")).not.toContain("hunter2");
});

it("fails instead of waiting while Redis hangs", async () => {
	const redisServer = await server();
	const { redis } = connect({ url: redisServer.url });
	await redis.set("session", "value");
	redisServer.freeze();
	for (let attempt = 0; attempt < 3; attempt += 1) {
		await expect(redis.get("session")).rejects.toThrow();
	}
	redisServer.thaw();
	await until(async () => (await errorOf(redis.get("session"))) === null);
});

it("follows the Sentinels to the new primary", async () => {
	const primary = await server({ password: "hunter2" });
	const replica = await server({ of: primary.port, password: "hunter2" });
	const sentinel = await server({ watching: primary.port, password: "hunter2" });
	await until(async () => (await replicasKnown(sentinel.port)) === 1);
	const sentinels = [{ host: "127.0.0.1", port: sentinel.port }];
	const { redis } = connect({ sentinels, password: "hunter2" });
	await redis.set("session", "value");
	expect(redis.stream.remotePort).toBe(primary.port);

	await primary.stop();
	// a Sentinel that notices a stall of the machine does nothing for 30 s
	await until(async () => (await errorOf(redis.set("session", "value"))) === null, 90);
	expect(redis.stream.remotePort).toBe(replica.port);
}, 150_000);

it("prints nothing while a Sentinel is down, and keeps working", async () => {
	const printed = vi.spyOn(console, "error");
	const primary = await server();
	const sentinel = await server({ watching: primary.port });
	const { redis } = connect({ sentinels: [{ host: "127.0.0.1", port: sentinel.port }] });
	const subscribed = new Promise((resolve) => redis.once("failoverSubscribed", resolve));
	await redis.set("session", "value");
	await subscribed;
	const retried = new Promise((resolve) => redis.once("sentinelReconnecting", resolve));
	await sentinel.stop();
	await retried;
	await wait(1_000);
	expect(await redis.get("session")).toBe("value");
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
	const { redis } = connect({ sentinels });
	await until(async () => (await errorOf(redis.set("session", "value"))) === null);
	const ended = new Promise((resolve) => redis.once("end", resolve));
	// in the tick in which the lookup starts: polling would miss it on a busy machine
	const connecting = new Promise((resolve) => redis.once("connecting", resolve));
	redis.disconnect(true);
	await connecting;
	// like ioredis does on an announcement
	(redis as unknown as { connector: { disconnect: () => void } }).connector.disconnect();
	await ended;
	await until(async () => (await errorOf(redis.get("session"))) === null);
	await until(async () => (await errorOf(redis.set("session", "value"))) === null);
	redis.disconnect();
	await until(async () => redis.status === "end");
	await wait(200);
	expect(redis.status).toBe("end");
}, 120_000);

it("looks up the primary again when a replica refuses a write", async () => {
	const first = await server();
	const second = await server();
	const { redis } = connect({ url: first.url });
	await redis.set("session", "value");
	const reconnected = new Promise((resolve) => redis.once("close", resolve));
	await redis.replicaof("127.0.0.1", second.port);
	await expect(redis.set("session", "other")).rejects.toThrow(/READONLY/);
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
