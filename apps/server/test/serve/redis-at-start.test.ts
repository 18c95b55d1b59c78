import { setTimeout as wait } from "node:timers/promises";
import { startRedis } from "test-kit/servers/redis-server";
import { expect, it, onTestFinished } from "vitest";
import { createWorld } from "../support/world.ts";

const frozen = async () => {
	const redis = await startRedis();
	onTestFinished(redis.close);
	const world = await createWorld({ environment: { REDIS_URL: redis.url } });
	onTestFinished(world.close);
	redis.freeze();
	return { redis, world };
};

it("waits for a Redis that is slower than the command timeout", async () => {
	const { redis, world } = await frozen();
	const starting = world.start();
	await wait(2_000);
	redis.thaw();
	expect((await (await starting).call("/readyz")).status).toBe(200);
});

it("waits for a Redis that has not started yet", async () => {
	const { redis, world } = await frozen();
	await redis.stop();
	const starting = world.start();
	await wait(1_000);
	await redis.start();
	expect((await (await starting).call("/readyz")).status).toBe(200);
});

it("refuses to start if Redis never responds, and says how to fix it", async () => {
	const { redis, world } = await frozen();
	await expect(world.start()).rejects.toThrow(/Redis does not respond.*REDIS_URL/s);
	redis.thaw();
});

it("refuses to start with a node of a Redis Cluster, and says what to use instead", async () => {
	const redis = await startRedis({ cluster: true });
	onTestFinished(redis.close);
	const world = await createWorld({ environment: { REDIS_URL: redis.url } });
	onTestFinished(world.close);
	await expect(world.start()).rejects.toThrow(/Redis Cluster is not supported.*REDIS_SENTINELS/s);
});
