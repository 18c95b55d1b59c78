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

it("starts without a Redis that does not respond, and uses it once it does", async () => {
	const { redis, world } = await frozen();
	const service = await world.start();
	const acme = await service.createTenant("acme");
	expect((await service.signUp(acme, "ada@example.com")).status).toBe(200);
	const said = world.log.lines().filter(({ msg }) => msg?.includes("Redis does not respond"));
	expect(said).toMatchObject([{ level: "warn" }]);
	redis.thaw();
	const readiness = async () => (await (await service.call("/readyz")).json()) as { checks: Record<string, string> };
	await expect.poll(async () => (await readiness()).checks.redis, { timeout: 20_000 }).toBe("ok");
});

it("refuses to start with a wrong password", async () => {
	const redis = await startRedis({ password: "hunter2" });
	onTestFinished(redis.close);
	const world = await createWorld({ environment: { REDIS_URL: redis.url.replace("hunter2", "other") } });
	onTestFinished(world.close);
	await expect(world.start()).rejects.toThrow(/Redis refuses this client.*password/s);
});

it("refuses to start with one node of a cluster, and says what to set instead", async () => {
	const redis = await startRedis({ cluster: true });
	onTestFinished(redis.close);
	const world = await createWorld({ environment: { REDIS_URL: redis.url } });
	onTestFinished(world.close);
	await expect(world.start()).rejects.toThrow(/Redis is a node of a cluster.*REDIS_CLUSTER/s);
});
