import type { redisStorage } from "@better-auth/redis-storage";
import type { KeyScan } from "better-auth-tenants";

type Storage = ReturnType<typeof redisStorage> & KeyScan;

/**
 * Gives each database keys of its own. Redis may have sessions that a restored database has not: of users who signed up
 * after the backup, for example. They would stay signed in.
 */
export const keysOfDatabase = (storage: Storage, identity: () => string): Storage => {
	const own = (key: string): string => `${identity()}:${key}`;
	const withoutPrefix = (keys: string[], prefix: string): string[] =>
		keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
	return {
		...storage,
		get: (key) => storage.get(own(key)),
		set: (key, value, ttl) => storage.set(own(key), value, ttl),
		delete: (key) => storage.delete(own(key)),
		getAndDelete: (key) => storage.getAndDelete(own(key)),
		increment: (key, ttl) => storage.increment(own(key), ttl),
		listKeys: async () => withoutPrefix(await storage.listKeys(), own("")),
		scanKeys: async function* (prefix) {
			const before = own("");
			for await (const keys of storage.scanKeys(`${before}${prefix}`)) yield withoutPrefix(keys, before);
		},
	};
};
