import { defineSection } from "./section.ts";
import { count, list, text, url } from "./variables.ts";

export const redisSection = defineSection(
	{
		REDIS_URL: url("redis:", "rediss:").optional().meta({
			description:
				"Redis for sessions and rate limits: redis://host:6379. Without it, sessions are stored in PostgreSQL and rate limits in the process",
		}),
		REDIS_SENTINELS: list().meta({
			description: "Instead of REDIS_URL: the Sentinels as host:26379, separated by commas",
		}),
		REDIS_SENTINEL_NAME: text().default("mymaster").meta({ description: "The name of the primary in Sentinel" }),
		REDIS_PASSWORD: text().optional().meta({ description: "The Redis password, if REDIS_URL does not contain it" }),
		REDIS_SENTINEL_PASSWORD: text().optional().meta({ description: "The password of the Sentinels" }),
		REDIS_KEY_PREFIX: text().default("auth:").meta({ description: "The prefix of all keys" }),
		REDIS_WAIT_REPLICAS: count(0, { least: 0, most: 10 }).meta({
			description:
				"Replicas that must acknowledge a write. With 0, a failover may bring back a session that was just ended",
		}),
	},
	(values, mistakes) => {
		const sentinels = values.REDIS_SENTINELS.map(readAddress);
		if (sentinels.some(({ port }) => port < 1 || port > 65_535))
			mistakes.push("REDIS_SENTINELS is not a list of addresses. Use the form host1:26379,host2:26379");
		if (values.REDIS_URL && sentinels.length > 0)
			mistakes.push("REDIS_URL and REDIS_SENTINELS are both set. Keep one of them");
		if (!values.REDIS_URL && sentinels.length === 0) {
			if (values.REDIS_WAIT_REPLICAS > 0)
				mistakes.push(
					"REDIS_WAIT_REPLICAS is set, but Redis is not configured. Set REDIS_URL or REDIS_SENTINELS, or remove it",
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

/** Parses `host:port`, `[::1]:port` or `host`. The port is 0 if the address is invalid. */
const readAddress = (address: string): { host: string; port: number } => {
	const [, bracketed, plain, port = "26379"] = /^(?:\[([^\]]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(address) ?? [];
	const host = bracketed ?? plain;
	return host ? { host, port: Number(port) } : { host: "", port: 0 };
};
