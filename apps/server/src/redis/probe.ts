import type { RedisConfig } from "../config/redis.ts";
import { withinTime } from "../lib/time-limit.ts";
import type { RedisClient } from "./client.ts";

/** Seconds after which Redis forgets what a probe wrote. */
const KEPT = 60;
/** Milliseconds */
const LONGEST = 1_000;

/** Writes to Redis, because a full one still reads. Throws if it cannot. */
export const probeRedis = async (redis: RedisClient, { keyPrefix }: Pick<RedisConfig, "keyPrefix">): Promise<void> => {
	await withinTime(LONGEST, redis.set(`${keyPrefix}probe`, "1", "EX", KEPT));
};
