import { defineSection } from "./section.ts";
import { count, seconds, text } from "./variables.ts";

const POSTGRES = /^postgres(ql)?:\/\//;

export const databaseSection = defineSection(
	{
		DATABASE_URL: text()
			.regex(POSTGRES, { error: "is not a PostgreSQL URL. Write postgres://user:password@host:5432/name" })
			.meta({
				description:
					"PostgreSQL: postgres://user:password@host:5432/name. Separate several hosts with commas (host1:5432,host2:5432): the server uses the one that accepts writes",
			}),
		DATABASE_POOL_SIZE: count(10, { most: 1000 }).meta({
			description:
				"Maximum connections per process for requests. Each process opens up to 3 more: 1 for health checks, 2 for jobs",
		}),
		DATABASE_CONNECT_TIMEOUT: seconds(5, { least: 0.1, most: 120 }).meta({
			description: "Seconds to wait for a connection, new or from the pool, before the server returns 503",
		}),
		DATABASE_QUERY_TIMEOUT: seconds(30, { least: 0.1, most: 3600 }).meta({
			description: "Maximum seconds per statement",
		}),
	},
	(values, mistakes) => {
		const hosts = splitHosts(values.DATABASE_URL);
		if (hosts.length === 0)
			mistakes.push("DATABASE_URL is not a PostgreSQL URL. Write postgres://user:password@host:5432/name");
		return {
			/** one URL per host; the first that accepts writes is the primary */
			urls: hosts,
			poolSize: values.DATABASE_POOL_SIZE,
			connectTimeout: values.DATABASE_CONNECT_TIMEOUT,
			queryTimeout: values.DATABASE_QUERY_TIMEOUT,
		};
	},
);

export type DatabaseConfig = ReturnType<(typeof databaseSection)["read"]>;

/** Splits `postgres://me@a:1,b:2/name` into one URL per host, because URLs allow only one host. */
const splitHosts = (given: string): string[] => {
	if (!POSTGRES.test(given)) return [];
	const authority = given.indexOf("://") + 3;
	const [named = ""] = given.slice(authority).split("/", 1);
	// a password may contain "@"
	const from = authority + named.lastIndexOf("@") + 1;
	const [hosts = ""] = given.slice(from, authority + named.length).split("?", 1);
	const [before, after] = [given.slice(0, from), given.slice(from + hosts.length)];
	const urls = hosts.split(",").map((host) => `${before}${host.trim()}${after}`);
	return urls.every((one) => URL.parse(one)?.hostname) ? urls : [];
};
