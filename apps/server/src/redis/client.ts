import { Redis, type RedisOptions } from "ioredis";
import type { RedisConfig } from "../config/redis.ts";
import type { Logger } from "../observe/logger.ts";
import { hushSentinels } from "./hush-sentinels.ts";
import { neverGiveUp } from "./never-give-up.ts";

/**
 * A Redis that is gone must cost a request a second or two, not for ever: whoever is told 503 comes again.
 * What was on its way when a connection broke is not sent again, since a WAIT would then be answered for a write that
 * the new primary never saw.
 */
const PATIENCE = {
	connectTimeout: 1_000,
	commandTimeout: 1_500,
	// a connection that swallows commands is made anew
	socketTimeout: 2_000,
	maxRetriesPerRequest: 0,
	autoResendUnfulfilledCommands: false,
	keepAlive: 10_000,
	retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
	// a primary that became a replica: ask again who the primary is
	reconnectOnError: (error) => /^(READONLY|MASTERDOWN)\b/.test(error.message),
} satisfies RedisOptions;

/** Redis by its URL, or the primary of the set that Sentinels watch. Connects by itself, again and again. */
export const createRedis = (config: RedisConfig, logger: Logger): Redis => {
	const options = { ...PATIENCE, ...(config.password === undefined ? {} : { password: config.password }) };
	const client = config.url ? new Redis(config.url, options) : new Redis({ ...options, ...sentinelOptions(config) });
	hushSentinels(client);
	neverGiveUp(client);
	let isDown = false;
	client.on("error", (error: Error) => {
		// it says so at each attempt; once is enough
		if (!isDown) logger.error({ err: { name: error.name, message: error.message } }, "redis does not answer");
		isDown = true;
	});
	client.on("ready", () => {
		if (isDown) logger.info("redis answers again");
		isDown = false;
	});
	return client;
};

const sentinelOptions = ({ sentinels, name, sentinelPassword }: RedisConfig): RedisOptions => ({
	sentinels,
	name,
	role: "master",
	sentinelCommandTimeout: 1_000,
	sentinelRetryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
	sentinelReconnectStrategy: (attempt) => Math.min(attempt * 50, 1_000),
	// Sentinels tell of a new primary; the old one may go on answering
	failoverDetector: true,
	...(sentinelPassword === undefined ? {} : { sentinelPassword }),
});
