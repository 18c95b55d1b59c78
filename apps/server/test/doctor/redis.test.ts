import { Redis } from "ioredis";
import { POSTGRES_URL } from "test-kit/databases/postgres-template";
import { startRedis } from "test-kit/servers/redis-server";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { createPool } from "../../src/database/pool.ts";
import { checkClock } from "../../src/doctor/check-clock.ts";
import { checkRedis } from "../../src/doctor/check-redis.ts";
import { createLogger } from "../../src/observe/logger.ts";
import { createRedis } from "../../src/redis/client.ts";
import { serverEnvironment } from "../command-line/support/environment.ts";
import { saying } from "./judge.ts";

const logger = createLogger({ logLevel: "silent" });
afterEach(() => void vi.restoreAllMocks());

const check = async (given: Record<string, string>) => {
	const { redis: config } = readConfig(serverEnvironment("postgres://me@127.0.0.1/none", given));
	const client = config ? createRedis(config, logger) : null;
	try {
		return await checkRedis(config, client);
	} finally {
		client?.disconnect();
	}
};

const own = async (kind: Parameters<typeof startRedis>[0] = {}) => {
	const server = await startRedis(kind);
	onTestFinished(() => server.close());
	return server;
};

const configure = async (url: string, ...settings: [string, string][]): Promise<void> => {
	const client = new Redis(url);
	for (const [name, value] of settings) await client.config("SET", name, value);
	client.disconnect();
};

describe("redis", { timeout: 60_000 }, () => {
	it("is a warning if it is not configured, and wrong if it does not respond", async () => {
		expect(saying(await check({}), "warning")).toEqual([expect.stringContaining("Not configured")]);
		expect(saying(await check({ REDIS_URL: "redis://:canary@127.0.0.1:9" }), "wrong")).toEqual([
			"Redis: nothing is listening there",
		]);
	});

	it("reports version and latency", async () => {
		const { url } = await own();
		const found = await check({ REDIS_URL: url });
		expect(saying(found, "ok")).toEqual([expect.stringMatching(/^Redis \d+\.\d+\.\d+ responds in [\d.]+ ms$/)]);
		expect(saying(found, "warning")).toEqual([]);
	});

	it("is wrong if it is a node of a cluster", async () => {
		const { url } = await own({ cluster: true });
		expect(saying(await check({ REDIS_URL: url }), "wrong")).toEqual([expect.stringContaining("Set REDIS_CLUSTER")]);
	});

	it("is a warning if it will refuse writes when it is full, and wrong once it does", async () => {
		const { url } = await own();
		await configure(url, ["maxmemory", "100mb"]);
		expect(saying(await check({ REDIS_URL: url }), "warning").join()).toContain("noeviction");
		await configure(url, ["maxmemory", "1"]);
		expect(saying(await check({ REDIS_URL: url }), "wrong")).toEqual(["Redis is full and refuses writes"]);
		await configure(url, ["maxmemory", "100mb"], ["maxmemory-policy", "allkeys-lru"]);
		const found = await check({ REDIS_URL: url });
		expect([...saying(found, "warning"), ...saying(found, "wrong")]).toEqual([]);
	});

	it("is wrong if it refuses writes for another reason", async () => {
		const { url } = await own();
		await configure(url, ["min-replicas-to-write", "1"]);
		expect(saying(await check({ REDIS_URL: url }), "wrong")).toEqual([expect.stringContaining("Redis refuses writes")]);
	});

	it("is wrong as a replica, and with another password", async () => {
		const primary = await own({ password: "canary-password" });
		const replica = await own({ of: primary.port, password: "canary-password" });
		expect(saying(await check({ REDIS_URL: replica.url }), "wrong")).toContainEqual(
			expect.stringContaining("is a replica"),
		);
		expect(saying(await check({ REDIS_URL: primary.url.replace("canary", "other") }), "wrong")).toEqual([
			"Redis: it rejects the password",
		]);
		expect(saying(await check({ REDIS_URL: `redis://127.0.0.1:${primary.port}` }), "wrong")).toEqual([
			"Redis: it requires a password",
		]);
	});

	it("checks every Sentinel", async () => {
		const primary = await own();
		const sentinel = await own({ watching: primary.port });
		const REDIS_SENTINELS = `127.0.0.1:${sentinel.port},127.0.0.1:9`;
		const found = await check({ REDIS_SENTINELS });
		expect(saying(found, "warning")).toContain("The Sentinel at 127.0.0.1:9: nothing is listening there");
		expect(saying(found, "ok")).toEqual([expect.stringContaining("responds in")]);
		const unknown = await check({ REDIS_SENTINELS: `127.0.0.1:${sentinel.port}`, REDIS_SENTINEL_NAME: "other" });
		expect(saying(unknown, "wrong")[0]).toContain("does not know other");
		expect(saying(await check({ REDIS_SENTINELS: "127.0.0.1:9" }), "wrong")).toEqual([
			"Redis: none of its Sentinels responds",
		]);
	});
});

describe("clock", { timeout: 60_000 }, () => {
	it("is compared with PostgreSQL and Redis: 2 s apart is a warning, 30 s is wrong", async () => {
		const { url } = await own();
		const { database, redis: config } = readConfig(serverEnvironment(POSTGRES_URL, { REDIS_URL: url }));
		const pool = createPool(database, logger);
		const redis = config && createRedis(config, logger);
		onTestFinished(async () => {
			redis?.disconnect();
			await pool.end();
		});
		const now = Date.now.bind(Date);
		const statuses = async (shift: number): Promise<string[]> => {
			vi.spyOn(Date, "now").mockImplementation(() => now() + shift);
			const found = await checkClock(pool, redis);
			vi.restoreAllMocks();
			return found.map(({ status, says }) => `${status} ${/ahead|behind/.exec(says)?.[0]}`);
		};
		expect((await checkClock(pool, redis)).map(({ status }) => status)).toEqual(["ok", "ok"]);
		expect(await statuses(-5_000)).toEqual(["warning ahead", "warning ahead"]);
		expect(await statuses(60_000)).toEqual(["wrong behind", "wrong behind"]);
	});
});
