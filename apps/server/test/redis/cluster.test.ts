import { startRedisCluster } from "test-kit/servers/redis-cluster";
import { expect, it, onTestFinished } from "vitest";
import { checkRedis } from "../../src/doctor/check-redis.ts";
import { createRedis } from "../../src/redis/client.ts";
import { dropKeys } from "../../src/redis/drop-keys.ts";
import { read } from "../config/environment.ts";
import { keepLog } from "../support/log.ts";
import { createWorld } from "../support/world.ts";

const startCluster = async () => {
	const cluster = await startRedisCluster();
	onTestFinished(cluster.close);
	const environment = { REDIS_CLUSTER: cluster.addresses.slice(0, 2).join(","), REDIS_TIMEOUT: "5000" };
	const { redis: config } = read(environment);
	if (!config) throw new Error("Redis is not configured");
	const client = createRedis(config, keepLog("silent").logger);
	onTestFinished(() => client.disconnect());
	return { cluster, client, environment, config };
};

it("removes the keys of a prefix from every primary of a cluster, and no others", async () => {
	const { cluster, client } = await startCluster();
	const names = Array.from({ length: 60 }, (_, number) => `key-${number}`);
	for (const name of names) await client.set(`auth:${name}`, "1", "EX", 60);
	for (const name of names) await client.set(`other:${name}`, "1", "EX", 60);
	expect([...(await cluster.keys()).values()].filter((keys) => keys.length > 0)).toHaveLength(3);
	expect(await dropKeys(client, "auth:")).toBe(60);
	const left = [...(await cluster.keys()).values()].flat();
	expect(left.sort()).toEqual(names.map((name) => `other:${name}`).sort());
}, 60_000);

it("keeps copies of sessions in a cluster, and goes on while one of its primaries is replaced", async () => {
	const { cluster, environment, config, client } = await startCluster();
	const world = await createWorld({ environment });
	onTestFinished(world.close);
	const service = await world.start();
	const acme = await service.createTenant("acme");
	const browsers: string[] = [];
	for (let number = 0; number < 12; number += 1) {
		const { headers } = await service.signUp(acme, `user-${number}@example.com`);
		browsers.push(
			headers
				.getSetCookie()
				.map((cookie) => cookie.split(";")[0])
				.join("; "),
		);
	}
	const emails = () =>
		Promise.all(
			browsers.map(async (cookie) => {
				const response = await service.call("/api/auth/get-session", { headers: { cookie } });
				return ((await response.json()) as { user: { email: string } } | null)?.user.email;
			}),
		);
	const all = browsers.map((_, number) => `user-${number}@example.com`);
	const copies = async () => {
		expect(await emails()).toEqual(all);
		return [...(await cluster.keys()).values()].flat().filter((key) => key.includes(":session:")).length;
	};
	// on whichever primaries their keys belong to
	await expect.poll(copies, { timeout: 20_000 }).toBe(browsers.length);
	const replaced = cluster.failOver();
	for (let look = 0; look < 5; look += 1) expect(await emails()).toEqual(all);
	await replaced;
	expect(await emails()).toEqual(all);
	// the nodes hear of it one after the other
	const found = async () => (await checkRedis(config, client)).map(({ status, says }) => `${status}: ${says}`);
	await expect
		.poll(found, { timeout: 60_000, interval: 500 })
		.toContainEqual("ok: The cluster has 3 primaries and serves all keys");
}, 120_000);
