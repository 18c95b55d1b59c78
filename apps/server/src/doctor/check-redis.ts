import { Cluster, Redis } from "ioredis";
import type { RedisConfig } from "../config/redis.ts";
import type { RedisClient } from "../redis/client.ts";
import { CLUSTER_REFUSED } from "../redis/cluster.ts";
import { probeRedis } from "../redis/probe.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { untilReady } from "./redis-ready.ts";

const { ok, warning, wrong } = findingsOf("redis");

/** Milliseconds. Above it, a session from Redis costs about as much as one from PostgreSQL. */
const SLOW = 20;

/** Checks whether Redis is reachable and accepts writes. */
export const checkRedis = async (config: RedisConfig | null, redis: RedisClient | null): Promise<Finding[]> => {
	if (!config || !redis)
		return [
			warning(
				"Not configured: rate limits apply per process, and every session is read from PostgreSQL",
				"Set REDIS_URL if you run more than one process.",
			),
		];
	const sentinels = await checkSentinels(config);
	try {
		const latency = await measure(redis);
		const info = readInfo(await redis.info());
		if (redis instanceof Cluster)
			return [...(await checkNodes(redis)), ...sayServer(info, latency), ...(await checkWrite(redis, config))];
		if (info.redis_mode === "cluster")
			return [...sentinels, wrong(CLUSTER_REFUSED, "Then run `tenants doctor` again.")];
		return [...sentinels, ...sayServer(info, latency), ...checkMemory(info), ...(await checkWrite(redis, config))];
	} catch (error) {
		const { says, fix } = describeFailure(error);
		return [...sentinels, wrong(`Redis: ${says}`, fix)];
	}
};

type Info = Readonly<Record<string, string>>;

const readInfo = (text: string): Info =>
	Object.fromEntries(
		text.split(/\r?\n/).flatMap((line) => {
			const at = line.indexOf(":");
			return at < 1 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
		}),
	);

const measure = async (redis: RedisClient): Promise<number> => {
	await untilReady(redis);
	const began = performance.now();
	for (let round = 0; round < 5; round += 1) await redis.ping();
	return (performance.now() - began) / 5;
};

const sayServer = (info: Info, latency: number): Finding[] => {
	const version = info.redis_version ?? "of an unknown version";
	const says = `Redis ${version} responds in ${latency.toFixed(1)} ms`;
	if (info.role !== undefined && info.role !== "master")
		return [wrong(`${says}, but is a replica: it does not accept writes`, "Use the primary, or set REDIS_SENTINELS.")];
	if (latency > SLOW)
		return [warning(`${says}: a session from PostgreSQL costs about as much`, "Use a Redis that is closer.")];
	return [ok(says)];
};

const checkNodes = async (cluster: Cluster): Promise<Finding[]> => {
	const primaries = cluster.nodes("master").length;
	const isWhole = /^cluster_state:ok\r?$/m.test(String(await cluster.call("CLUSTER", "INFO")));
	if (isWhole) return [ok(`The cluster has ${primaries} primaries and serves all keys`)];
	return [
		wrong("The cluster does not serve all keys", "Look at CLUSTER INFO, and replace the primaries that are missing."),
	];
};

const checkMemory = ({ maxmemory_policy: policy = "unknown", maxmemory = "0" }: Info): Finding[] => {
	// copies and counts all expire
	if (policy !== "noeviction" || Number(maxmemory) === 0) return [];
	return [
		warning(
			"maxmemory-policy is noeviction: when memory runs out, Redis refuses new copies of sessions",
			"Set maxmemory-policy to volatile-ttl or allkeys-lru. Everything that this server keeps in Redis may be evicted.",
		),
	];
};

const checkWrite = async (redis: RedisClient, config: RedisConfig): Promise<Finding[]> => {
	try {
		await probeRedis(redis, config);
		return [];
	} catch (error) {
		const isFull = error instanceof Error && error.message.startsWith("OOM");
		return [
			isFull
				? wrong("Redis is full and refuses writes", "Raise maxmemory, or set maxmemory-policy to volatile-ttl.")
				: wrong(`Redis refuses writes: ${describeFailure(error).says}`, describeFailure(error).fix),
		];
	}
};

const checkSentinels = async ({ sentinels, name }: RedisConfig): Promise<Finding[]> => {
	const asked = await Promise.all(sentinels.map((sentinel) => askSentinel(sentinel, name)));
	return asked.flatMap((finding) => finding ?? []);
};

const askSentinel = async ({ host, port }: { host: string; port: number }, name: string): Promise<Finding | null> => {
	const sentinel = new Redis({
		host,
		port,
		lazyConnect: true,
		connectTimeout: 3_000,
		enableReadyCheck: false,
		retryStrategy: () => null,
	});
	try {
		await Promise.all([untilReady(sentinel), sentinel.connect().catch(() => {})]);
		const primary = await sentinel.call("SENTINEL", "get-master-addr-by-name", name);
		if (primary !== null) return null;
		return wrong(`The Sentinel at ${host}:${port} does not know ${name}`, "Correct REDIS_SENTINEL_NAME.");
	} catch (error) {
		const { says, fix } = describeFailure(error);
		return warning(`The Sentinel at ${host}:${port}: ${says}`, fix);
	} finally {
		sentinel.on("error", () => {}).disconnect();
	}
};
