import { Redis } from "ioredis";
import type { RedisConfig } from "../config/redis.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { untilReady } from "./redis-ready.ts";

const { ok, warning, wrong } = findingsOf("redis");

/** The first with GETDEL, by which one-time values are used up. */
const OLDEST = [6, 2] as const;

/** Whether Redis answers, keeps what it is given, and has the replicas it is waited for. */
export const checkRedis = async (config: RedisConfig | null, redis: Redis | null): Promise<Finding[]> => {
	if (!config || !redis)
		return [
			warning(
				"Not configured: rate limits hold for each process by itself, and every session is asked of PostgreSQL",
				"Set REDIS_URL where more than one process serves.",
			),
		];
	const sentinels = await checkSentinels(config);
	try {
		const latency = await measure(redis);
		const info = readInfo(await redis.info());
		return [
			...sentinels,
			...sayServer(info, latency),
			...checkEviction(info),
			...checkKept(info),
			...checkReplicas(info, config),
		];
	} catch (error) {
		const { says, mend } = describeFailure(error);
		return [...sentinels, wrong(`Redis: ${says}`, mend)];
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
	const says = `Redis ${version} answers in ${latency.toFixed(1)} ms`;
	const [major = 0, minor = 0] = version.split(".").map(Number);
	if (info.role !== undefined && info.role !== "master")
		return [
			wrong(`${says}, and is a replica: it takes no writes`, "Name the primary, or its Sentinels in REDIS_SENTINELS."),
		];
	if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]))
		return [wrong(says, `It needs ${OLDEST.join(".")} or later, for GETDEL.`)];
	return [ok(says)];
};

const checkEviction = ({ maxmemory_policy: policy = "unknown", maxmemory = "0" }: Info): Finding[] => {
	if (policy === "noeviction" || policy.startsWith("volatile-")) return [];
	const says = `maxmemory-policy is ${policy}: when memory is short, Redis forgets sessions and limits that still hold`;
	const mend = "Set maxmemory-policy to noeviction, or to volatile-ttl.";
	// without a limit nothing is thrown away, until somebody sets one
	return [Number(maxmemory) > 0 ? wrong(says, mend) : warning(says, mend)];
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
			`Redis keeps no log of its writes${sinceStart ? " and has saved nothing since it started" : ""}: after a crash, rate limits begin anew and sessions are read from PostgreSQL`,
			"Set appendonly yes where that is too slow for you.",
		),
	];
};

const checkReplicas = ({ connected_slaves: replicas = "0" }: Info, { waitReplicas }: RedisConfig): Finding[] => {
	const connected = Number(replicas);
	if (connected < waitReplicas)
		return [
			wrong(
				`${connected} replicas are connected, and REDIS_WAIT_REPLICAS waits for ${waitReplicas}: every write fails`,
				"Start the replicas, or lower REDIS_WAIT_REPLICAS.",
			),
		];
	if (connected === 0)
		return [warning("Redis has no replica: while it is down, nobody signs in", "Add a replica and Sentinels.")];
	return [ok(`${connected} replicas are connected, and ${waitReplicas} are waited for`)];
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
		return wrong(`The Sentinel at ${host}:${port} knows no set ${name}`, "Correct REDIS_SENTINEL_NAME.");
	} catch (error) {
		const { says, mend } = describeFailure(error);
		return warning(`The Sentinel at ${host}:${port}: ${says}`, mend);
	} finally {
		sentinel.on("error", () => {}).disconnect();
	}
};
