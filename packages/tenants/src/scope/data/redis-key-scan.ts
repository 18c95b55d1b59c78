import type { KeyScan } from "./key-scan.ts";

/** The part of an ioredis client that finds keys. */
type ScanningClient = {
	scan: (
		cursor: string,
		match: "MATCH",
		pattern: string,
		count: "COUNT",
		keys: number,
	) => Promise<[cursor: string, keys: string[]]>;
	options?: { keyPrefix?: string | undefined };
};

/**
 * The options of `redisStorage`.
 *
 * @example
 * ```ts
 * withKeyScan(redisStorage, { client, keyPrefix: "my-app:" });
 * ```
 */
type RedisConfig = {
	/** The ioredis client, connected to one server or through Sentinels. SCAN does not see all keys of a cluster. */
	client: ScanningClient;
	/**
	 * The beginning of all keys of this storage.
	 * @default "better-auth:"
	 */
	keyPrefix?: string | undefined;
};

/** Names that Redis looks at for one reply. Redis serves nobody else meanwhile. */
const LOOKED_AT = 1_000;

/**
 * Creates the official Redis storage, and lets the plugin find the keys of one tenant with SCAN. Deleting a tenant then
 * takes a bounded amount of memory. With `redisStorage` alone, it reads the names of all keys of all tenants.
 *
 * @example
 * ```ts
 * import { redisStorage } from "@better-auth/redis-storage";
 * import { betterAuth } from "better-auth";
 * import { tenantAuth, withKeyScan } from "better-auth-tenants";
 * import { Redis } from "ioredis";
 *
 * const client = new Redis();
 * betterAuth({ secondaryStorage: withKeyScan(redisStorage, { client }), plugins: [tenantAuth()] });
 * ```
 */
export const withKeyScan = <Config extends RedisConfig, Storage extends object>(
	redisStorage: (config: Config) => Storage,
	config: Config,
): Storage & KeyScan => {
	const { client, keyPrefix = "better-auth:" } = config;
	// ioredis adds its own prefix to keys, but neither to patterns nor to the names that it returns
	const before = `${client.options?.keyPrefix ?? ""}${keyPrefix}`;
	return {
		...redisStorage({ ...config, keyPrefix }),
		scanKeys: async function* (prefix) {
			const whole = `${before}${prefix}`;
			let cursor = "0";
			do {
				const [next, found] = await client.scan(cursor, "MATCH", `${escapeGlob(whole)}*`, "COUNT", LOOKED_AT);
				cursor = next;
				const keys = found.filter((key) => key.startsWith(whole)).map((key) => key.slice(before.length));
				if (keys.length > 0) yield keys;
			} while (cursor !== "0");
		},
	};
};

/** A prefix may contain any character. In a pattern, these would match other keys, or not the own ones. */
const escapeGlob = (text: string): string => text.replace(/[\\*?[\]]/g, "\\$&");
