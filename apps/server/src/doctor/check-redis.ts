import { Redis } from "ioredis";
import type { RedisConfig } from "../config/redis.ts";
import { CLUSTER_REFUSED } from "../redis/cluster.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { untilReady } from "./redis-ready.ts";

const { ok, warning, wrong } = findingsOf("redis");

/** The first version with GETDEL, which consumes one-time values. */
const OLDEST = [6, 2] as const;

/** Checks whether Redis is reachable, keeps its data, and has the replicas that writes wait for. */
export const checkRedis = async (config: RedisConfig | null, redis: Redis | null): Promise<Finding[]> => {
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
		if (info.redis_mode === "cluster")
			return [...sentinels, wrong("Redis is a node of a cluster", `${CLUSTER_REFUSED}.`)];
		return [
			...sentinels,
			...sayServer(info, latency),
			...checkEviction(info),
			...checkKept(info),
			...checkReplicas(info, config),
		];
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

const measure = async (redis: Redis): Promise<number> => {
	await untilReady(redis);
	const began = performance.now();
	for (let round = 0; round < 5; round += 1) await redis.ping();
	return (performance.now() - began) / 5;
};

const sayServer = (info: Info, latency: number): Finding[] => {
	const version = info.redis_version ?? "of an unknown version";
	const says = `Redis ${version} responds in ${latency.toFixed(1)} ms`;
	const [major = 0, minor = 0] = version.split(".").map(Number);
	if (info.role !== undefined && info.role !== "master")
		return [wrong(`${says}, but is a replica: it does not accept writes`, "Use the primary, or set REDIS_SENTINELS.")];
	if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
		return [wrong(says, `Upgrade to ${OLDEST.join(".")} or later, which has GETDEL.`)];
	return [ok(says)];
};

const checkEviction = ({ maxmemory_policy: policy = "unknown", maxmemory = "0" }: Info): Finding[] => {
	if (policy === "noeviction" || policy.startsWith("volatile-")) return [];
	const says = `maxmemory-policy is ${policy}: when memory runs out, Redis drops active sessions and rate limits`;
	const fix = "Set maxmemory-policy to noeviction, or to volatile-ttl.";
	// without maxmemory nothing is evicted
	return [Number(maxmemory) > 0 ? wrong(says, fix) : warning(says, fix)];
};

const checkKept = ({
	aof_enabled: aof,
	rdb_last_save_time: saved,
	uptime_in_seconds: up,
	server_time_usec: now,
}: Info): Finding[] => {
	if (aof !== "0") return [];
	const sinceStart = Number(now) / 1_000_000 - Number(saved) > Number(up) - 1;
	return [
		warning(
			`Redis has no append-only file${sinceStart ? " and has saved nothing since it started" : ""}: after a crash, rate limits start over and sessions are read from PostgreSQL`,
			"Set appendonly yes if that is not acceptable.",
		),
	];
};

const checkReplicas = ({ connected_slaves: replicas = "0" }: Info, { waitReplicas }: RedisConfig): Finding[] => {
	const connected = Number(replicas);
	if (connected < waitReplicas)
		return [
			wrong(
				`${connected} replicas are connected, but REDIS_WAIT_REPLICAS is ${waitReplicas}: every write fails`,
				"Start the replicas, or lower REDIS_WAIT_REPLICAS.",
			),
		];
	if (connected === 0)
		return [warning("Redis has no replica: while it is down, users cannot sign in", "Add a replica and Sentinels.")];
	return [ok(`${connected} replicas are connected, and writes wait for ${waitReplicas}`)];
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
