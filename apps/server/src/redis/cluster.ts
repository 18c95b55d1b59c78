import type { Redis } from "ioredis";

/** Why Redis Cluster is refused, and what to use instead. */
export const CLUSTER_REFUSED =
	"Redis Cluster is not supported: the keys of a tenant would be on several nodes. Use one Redis, or a primary with replicas and Sentinels (REDIS_SENTINELS)";

/** Whether a server is a node of a Redis Cluster. It serves only some of the keys and rejects the others. */
export const isCluster = async (redis: Pick<Redis, "info">): Promise<boolean> =>
	/^redis_mode:cluster\r?$/m.test(await redis.info("server"));
