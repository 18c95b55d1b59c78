import { Cluster, Redis, type RedisOptions } from "ioredis";
import type { RedisConfig } from "../config/redis.ts";
import type { Logger } from "../observe/logger.ts";
import { hushSentinels } from "./hush-sentinels.ts";
import { neverGiveUp } from "./never-give-up.ts";

/** Requests wait for less (REDIS_TIMEOUT). These bounds are for the connection: what hangs is opened again. */
const PATIENCE = {
	connectTimeout: 1_000,
	commandTimeout: 1_500,
	// reconnects if commands get no response
	socketTimeout: 2_000,
	maxRetriesPerRequest: 0,
	// nobody waits for them any more
	autoResendUnfulfilledCommands: false,
	keepAlive: 10_000,
	retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
	// the primary became a replica, so look up the new one
	reconnectOnError: (error) => /^(READONLY|MASTERDOWN)\b/.test(error.message),
} satisfies RedisOptions;

/** One server, or the nodes of a cluster. Both have the same commands, and each command here has one key. */
export type RedisClient = Redis | Cluster;

/** Creates a client for a Redis URL, for the primary behind Sentinels, or for a cluster. Reconnects automatically. */
export const createRedis = (config: RedisConfig, logger: Logger): RedisClient => {
	const options = { ...PATIENCE, ...(config.password === undefined ? {} : { password: config.password }) };
	const client = config.cluster.length > 0 ? openCluster(config, options) : openServer(config, options);
	let isDown = false;
	client.on("error", (error: Error) => {
		// emitted on every attempt, logged once
		if (!isDown) logger.error({ err: { name: error.name, message: error.message } }, "redis does not respond");
		isDown = true;
	});
	client.on("ready", () => {
		if (isDown) logger.info("redis responds again");
		isDown = false;
	});
	return client;
};

const openServer = (config: RedisConfig, options: RedisOptions): Redis => {
	const client = config.url ? new Redis(config.url, options) : new Redis({ ...options, ...sentinelOptions(config) });
	hushSentinels(client);
	neverGiveUp(client);
	return client;
};

const openCluster = ({ cluster }: RedisConfig, { retryStrategy: _ofServers, ...redisOptions }: RedisOptions): Cluster =>
	new Cluster(cluster, {
		redisOptions,
		clusterRetryStrategy: PATIENCE.retryStrategy,
		slotsRefreshTimeout: PATIENCE.connectTimeout,
		// a new primary is found by then
		slotsRefreshInterval: 5_000,
		retryDelayOnFailover: 50,
		// nobody waits for more
		maxRedirections: 4,
	});

const sentinelOptions = ({ sentinels, name, sentinelPassword }: RedisConfig): RedisOptions => ({
	sentinels,
	name,
	role: "master",
	sentinelCommandTimeout: 1_000,
	sentinelRetryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
	sentinelReconnectStrategy: (attempt) => Math.min(attempt * 50, 1_000),
	// Sentinels announce a new primary, while the old one may still respond
	failoverDetector: true,
	...(sentinelPassword === undefined ? {} : { sentinelPassword }),
});
