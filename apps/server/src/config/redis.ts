import { defineSection } from "./section.ts";
import { count, list, text, url } from "./variables.ts";

export const redisSection = defineSection(
	{
		REDIS_URL: url("redis:", "rediss:").optional().meta({
			description:
				"Redis for copies of sessions and for rate limits: redis://host:6379. Without it, or while it does not respond, sessions are read from PostgreSQL and each process counts alone",
		}),
		REDIS_SENTINELS: list().meta({
			description: "Instead of REDIS_URL: the Sentinels as host:26379, separated by commas",
		}),
		REDIS_CLUSTER: list().meta({
			description:
				"Instead of REDIS_URL: nodes of a Redis Cluster as host:6379, separated by commas. The others are found",
		}),
		REDIS_SENTINEL_NAME: text().default("mymaster").meta({ description: "The name of the primary in Sentinel" }),
		REDIS_PASSWORD: text().optional().meta({ description: "The Redis password, if REDIS_URL does not contain it" }),
		REDIS_SENTINEL_PASSWORD: text().optional().meta({ description: "The password of the Sentinels" }),
		REDIS_KEY_PREFIX: text().default("auth:").meta({ description: "The prefix of all keys" }),
		REDIS_TIMEOUT: count(150, { least: 10, most: 5_000 }).meta({
			description: "Milliseconds that a request waits for Redis, before it goes on without",
		}),
	},
	(values, mistakes) => {
		const sentinels = values.REDIS_SENTINELS.map((address) => readAddress(address, "26379"));
		const cluster = values.REDIS_CLUSTER.map((address) => readAddress(address, "6379"));
		if (sentinels.some(({ port }) => port < 1 || port > 65_535))
			mistakes.push("REDIS_SENTINELS is not a list of addresses. Use the form host1:26379,host2:26379");
		if (cluster.some(({ port }) => port < 1 || port > 65_535))
			mistakes.push("REDIS_CLUSTER is not a list of addresses. Use the form host1:6379,host2:6379");
		const given = [
			...(values.REDIS_URL ? ["REDIS_URL"] : []),
			...(sentinels.length > 0 ? ["REDIS_SENTINELS"] : []),
			...(cluster.length > 0 ? ["REDIS_CLUSTER"] : []),
		];
		if (given.length > 1) mistakes.push(`${given.join(" and ")} are set together. Keep one of them`);
		if (given.length === 0) return null;
		return {
			url: values.REDIS_URL,
			sentinels,
			cluster,
			name: values.REDIS_SENTINEL_NAME,
			password: values.REDIS_PASSWORD,
			sentinelPassword: values.REDIS_SENTINEL_PASSWORD,
			keyPrefix: values.REDIS_KEY_PREFIX,
			timeout: values.REDIS_TIMEOUT,
		};
	},
);

export type RedisConfig = NonNullable<ReturnType<(typeof redisSection)["read"]>>;

/** Parses `host:port`, `[::1]:port` or `host`. The port is 0 if the address is invalid. */
const readAddress = (address: string, usual: string): { host: string; port: number } => {
	const [, bracketed, plain, port = usual] = /^(?:\[([^\]]+)\]|([^\s:[\]]+))(?::(\d{1,5}))?$/.exec(address) ?? [];
	const host = bracketed ?? plain;
	return host ? { host, port: Number(port) } : { host: "", port: 0 };
};
