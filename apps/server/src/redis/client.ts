import { Redis, type RedisOptions } from "ioredis";
import type { RedisConfig } from "../config/redis.ts";
import type { Logger } from "../observe/logger.ts";
import { hushSentinels } from "./hush-sentinels.ts";
import { neverGiveUp } from "./never-give-up.ts";

/**
 * An unreachable Redis costs a request at most a second or two. Clients retry after a 503. Commands in flight on a
 * broken connection are not resent: a WAIT could otherwise confirm a write that the new primary never received.
 */
const PATIENCE = {
	connectTimeout: 1_000,
	commandTimeout: 1_500,
	// reconnects if commands get no response
	socketTimeout: 2_000,
	maxRetriesPerRequest: 0,
	autoResendUnfulfilledCommands: false,
	keepAlive: 10_000,
	retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
	// the primary became a replica, so look up the new one
	reconnectOnError: (error) => /^(READONLY|MASTERDOWN)\b/.test(error.message),
} satisfies RedisOptions;

/** Creates a client for a Redis URL or for the primary behind Sentinels. Reconnects automatically. */
export const createRedis = (config: RedisConfig, logger: Logger): Redis => {
	const options = { ...PATIENCE, ...(config.password === undefined ? {} : { password: config.password }) };
	const client = config.url ? new Redis(config.url, options) : new Redis({ ...options, ...sentinelOptions(config) });
	hushSentinels(client);
	neverGiveUp(client);
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
