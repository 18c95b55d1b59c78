import type { RedisClient } from "./client.ts";

/** Why a node of a cluster is refused, and what to set instead. */
export const CLUSTER_REFUSED =
	"Redis is a node of a cluster and serves only some of the keys. Set REDIS_CLUSTER to the nodes instead of REDIS_URL";

/** Whether a server is a node of a Redis Cluster. It serves only some of the keys and rejects the others. */
export const isCluster = async (redis: Pick<RedisClient, "info">): Promise<boolean> =>
	/^redis_mode:cluster\r?$/m.test(await redis.info("server"));
