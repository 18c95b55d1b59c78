import { defineSection } from "./section.ts";
import { count, list, text, url } from "./variables.ts";

export const redisSection = defineSection(
	{
		REDIS_URL: url("redis:", "rediss:").optional().meta({
			description:
				"Redis for sessions and rate limits: redis://host:6379. Without it both lie in PostgreSQL and in the process",
		}),
		REDIS_SENTINELS: list().meta({ description: "In place of REDIS_URL: the Sentinels, host:26379 by commas" }),
		REDIS_SENTINEL_NAME: text().default("mymaster").meta({ description: "What the Sentinels call the set" }),
		REDIS_PASSWORD: text().optional().meta({ description: "The password of Redis, where REDIS_URL has none in it" }),
		REDIS_SENTINEL_PASSWORD: text().optional().meta({ description: "The password of the Sentinels themselves" }),
		REDIS_KEY_PREFIX: text().default("auth:").meta({ description: "What all keys begin with" }),
		REDIS_WAIT_REPLICAS: count(0, { least: 0, most: 10 }).meta({
			description:
				"Replicas that must have a write before it counts as done. With 0 a failover may bring back a session that was ended a moment before",
		}),
	},
	(values, mistakes) => {
		const sentinels = values.REDIS_SENTINELS.map(readAddress);
		if (sentinels.some(({ port }) => port < 1 || port > 65_535))
			mistakes.push("REDIS_SENTINELS is not a list of addresses. Write host1:26379,host2:26379");
		if (values.REDIS_URL && sentinels.length > 0)
			mistakes.push("REDIS_URL and REDIS_SENTINELS are both set. Keep one of them");
		if (!values.REDIS_URL && sentinels.length === 0) {
			if (values.REDIS_WAIT_REPLICAS > 0)
				mistakes.push(
					"REDIS_WAIT_REPLICAS is set, and there is no Redis. Set REDIS_URL or REDIS_SENTINELS, or remove it",
				);
			return null;
		}
		return {
			url: values.REDIS_URL,
			sentinels,
			name: values.REDIS_SENTINEL_NAME,
			password: values.REDIS_PASSWORD,
			sentinelPassword: values.REDIS_SENTINEL_PASSWORD,
			keyPrefix: values.REDIS_KEY_PREFIX,
			waitReplicas: values.REDIS_WAIT_REPLICAS,
		};
	},
);

export type RedisConfig = NonNullable<ReturnType<(typeof redisSection)["read"]>>;

/** `host:port`, `[::1]:port`, or the host alone; port 0 where it is none of these. */
const readAddress = (address: string): { host: string; port: number } => {
	const [, bracketed, plain, port = "26379"] = /^(?:\[([^\]]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(address) ?? [];
	const host = bracketed ?? plain;
	return host ? { host, port: Number(port) } : { host: "", port: 0 };
};
