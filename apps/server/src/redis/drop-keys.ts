import { redisStorage } from "@better-auth/redis-storage";
import { withKeyScan } from "better-auth-tenants";
import type { Redis } from "ioredis";

/** Removes all keys with a prefix, a page at a time, and returns their number. Other keys in the same Redis stay. */
export const dropKeys = async (client: Redis, keyPrefix: string): Promise<number> => {
	const { scanKeys } = withKeyScan(redisStorage, { client, keyPrefix });
	let dropped = 0;
	for await (const keys of scanKeys("")) dropped += await client.unlink(...keys.map((key) => `${keyPrefix}${key}`));
	return dropped;
};
