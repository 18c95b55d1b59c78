import { redisStorage } from "@better-auth/redis-storage";
import { createSessionCache, type PostgresSessionCache } from "better-auth-tenants";
import type { Redis } from "ioredis";
import type { Pool } from "pg";
import type { RedisConfig } from "../config/redis.ts";
import type { Logger } from "../observe/logger.ts";
import type { RedisClient } from "./client.ts";
import { keysOfDatabase } from "./keys-of-database.ts";

/** Copies of sessions, and counts of requests, that processes share. Everything works without. */
export type Cache = {
	sessions: PostgresSessionCache;
	increment: (key: string, seconds: number) => Promise<number>;
	/** seconds that a request waits for Redis */
	timeout: number;
	/** how often a copy was looked for */
	counts: CopyCounts;
};

/** By what Redis said: a copy, none, or nothing in time. */
type CopyCounts = Record<"found" | "missing" | "failed", number>;

type CacheWith = {
	redis: RedisClient;
	config: RedisConfig;
	/** for the changes of sessions, apart from the pool of requests */
	database: Pick<Pool, "query">;
	/** names the database whose sessions these are */
	identity: () => string;
	/** seconds within which a change that another process made is in force */
	maxAge: number;
	logger: Logger;
};

/** Seconds for which a look at the changes counts. The package allows no more. */
const LEASE = { least: 1, most: 60 };
/** Milliseconds between two log lines about the same. */
const SILENCE = 60_000;

export const createCache = ({ redis, config, database, identity, maxAge, logger }: CacheWith): Cache => {
	// a cluster has the same commands, and each of these has one key
	const client = redis as Redis;
	const storage = keysOfDatabase(redisStorage({ client, keyPrefix: config.keyPrefix }), identity);
	const lease = Math.min(LEASE.most, Math.max(LEASE.least, maxAge));
	const timeout = config.timeout / 1_000;
	const counts: CopyCounts = { found: 0, missing: 0, failed: 0 };
	const get = async (key: string): Promise<string | null> => {
		try {
			const copy = await storage.get(key);
			counts[copy === null ? "missing" : "found"] += 1;
			return copy;
		} catch (error) {
			counts.failed += 1;
			throw error;
		}
	};
	return {
		sessions: createSessionCache({
			database,
			store: { get, set: storage.set, delete: storage.delete },
			lease,
			every: lease / 5,
			timeout: Math.min(timeout, lease),
			onFailure: atMostOnce((error) =>
				logger.warn({ err: error }, "changes of sessions cannot be followed, so sessions are read from PostgreSQL"),
			),
		}),
		increment: storage.increment,
		timeout,
		counts,
	};
};

/** A failure is repeated each second. */
const atMostOnce = (say: (error: unknown) => void): ((error: unknown) => void) => {
	let last = Number.NEGATIVE_INFINITY;
	return (error) => {
		const now = performance.now();
		if (now - last < SILENCE) return;
		last = now;
		say(error);
	};
};
