import { redisStorage } from "@better-auth/redis-storage";
import { withKeyScan } from "better-auth-tenants";
import { Cluster, type Redis } from "ioredis";
import type { RedisClient } from "./client.ts";

/** Removes all keys with a prefix, a page at a time, and returns their number. Other keys in the same Redis stay. */
export const dropKeys = async (client: RedisClient, keyPrefix: string): Promise<number> => {
	if (!(client instanceof Cluster)) return dropKeysOf(client, keyPrefix);
	// its nodes are known once it responds
	await client.ping();
	let dropped = 0;
	for (const node of client.nodes("master")) dropped += await dropKeysOf(node, keyPrefix);
	return dropped;
};

/** One command for each key: a node of a cluster refuses those whose keys are in several slots. */
const dropKeysOf = async (server: Redis, keyPrefix: string): Promise<number> => {
	const { scanKeys } = withKeyScan(redisStorage, { client: server, keyPrefix });
	let dropped = 0;
	for await (const keys of scanKeys("")) {
		const counts = await Promise.all(keys.map((key) => server.unlink(`${keyPrefix}${key}`)));
		dropped += counts.reduce((sum, count) => sum + count, 0);
	}
	return dropped;
};
