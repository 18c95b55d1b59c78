import type { AuthContext } from "@better-auth/core";

type Method = { name: string; use: string; form: string };

/** What requests call on a storage. */
const REQUIRED: Method[] = [
	{ name: "get", use: "reads sessions", form: "get(key) returns the value, or null" },
	{ name: "set", use: "stores sessions", form: "set(key, value, ttl), with ttl in seconds" },
	{ name: "delete", use: "ends sessions", form: "delete(key)" },
	{
		name: "getAndDelete",
		use: "uses up OAuth states and tokens of mails",
		form: "getAndDelete(key) returns the value and deletes it atomically, as GETDEL of Redis does",
	},
];

const COUNTER: Method = {
	name: "increment",
	use: "counts requests for `rateLimit`",
	form: "increment(key, ttl) adds one atomically and returns the count. It sets ttl for a new key only",
};

/** Complains about a second place that would decide which sessions exist. */
export const checkSessionCache = ({ options }: AuthContext): string[] =>
	options.secondaryStorage
		? [
				"`sessionCache` keeps copies of sessions that are in the database, and `secondaryStorage` would keep sessions beside it. Remove `secondaryStorage`, and use the same Redis for the copies.",
			]
		: [];

/**
 * Complains about a storage without a method that requests need. The engine starts with it, and then every OAuth callback
 * fails, or every request that it counts.
 */
export const checkStorage = ({ options, rateLimit }: AuthContext): string[] => {
	const storage = options.secondaryStorage;
	if (!storage) return [];
	const counts = rateLimit.enabled && rateLimit.storage === "secondary-storage" && !options.rateLimit?.customStorage;
	return [...REQUIRED, ...(counts ? [COUNTER] : [])]
		.filter(({ name }) => typeof Reflect.get(storage, name) !== "function")
		.map(
			({ name, use, form }) =>
				`\`secondaryStorage\` has no ${name}(), which ${use}. Use redisStorage() of @better-auth/redis-storage, or implement it: ${form}.`,
		);
};
