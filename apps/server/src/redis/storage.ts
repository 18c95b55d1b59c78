import { redisStorage } from "@better-auth/redis-storage";
import { type KeyScan, withKeyScan } from "better-auth-tenants";
import type { ChainableCommander, Redis } from "ioredis";
import type { RedisConfig } from "../config/redis.ts";
import { noticeOutage } from "../database/outage.ts";
import { createLocalCounts } from "./count-locally.ts";
import { hushSentinels } from "./hush-sentinels.ts";
import { keysOfDatabase } from "./keys-of-database.ts";
import { neverGiveUp } from "./never-give-up.ts";

export type Storage = ReturnType<typeof redisStorage> & KeyScan;

/** Milliseconds for replicas to acknowledge a write. Less than the command timeout. */
const WAIT_TIMEOUT = 500;

/**
 * Better Auth's secondary storage in Redis. With `waitReplicas`, a write succeeds once that many replicas have it, so a
 * failover cannot bring back an ended session. Otherwise it throws, and the caller gets 503. `identity` names the database whose
 * sessions these are.
 */
export const createStorage = (client: Redis, config: RedisConfig, identity: () => string): Storage => {
	const storage = withKeyScan(redisStorage, { client, keyPrefix: config.keyPrefix });
	const kept = config.waitReplicas > 0 ? waitingForReplicas(storage, client, config) : storage;
	return noticing(goingOnWithout(keysOfDatabase(kept, identity), client));
};

/**
 * While Redis is down, rate limits are counted in this process, and a session is read from PostgreSQL at once instead of after
 * a timeout. Writes still wait: a session must not end in PostgreSQL alone, because Redis could bring it back.
 */
const goingOnWithout = (storage: Storage, client: Redis): Storage => {
	const local = createLocalCounts();
	// not before the first connection, for which commands wait
	let isLost = false;
	client.on("close", () => {
		isLost = true;
	});
	client.on("ready", () => {
		isLost = false;
	});
	return {
		...storage,
		get: async (key) => {
			if (isLost) throw new Error("Redis is not connected");
			return storage.get(key);
		},
		increment: async (key, ttl) => {
			if (isLost) return local.increment(key, ttl);
			return storage.increment(key, ttl).catch(() => local.increment(key, ttl));
		},
	};
};

const waitingForReplicas = (storage: Storage, client: Redis, { keyPrefix, waitReplicas }: RedisConfig): Storage => {
	// WAIT blocks its connection, so writes use a separate one and reads continue while a replica is slow
	const writer = client.duplicate();
	writer.on("error", () => {}); // the other client logs the same error
	hushSentinels(writer);
	neverGiveUp(writer);
	// only if `neverGiveUp` has not reconnected it
	client.on("end", () => setImmediate(() => client.status === "end" && writer.disconnect()));

	const write = async (command: (pipeline: ChainableCommander) => ChainableCommander): Promise<unknown> => {
		const results = await command(writer.pipeline()).wait(waitReplicas, WAIT_TIMEOUT).exec();
		const [[error, value] = [null, null], [waitError, acknowledged] = [null, 0]] = results ?? [];
		if (error ?? waitError) throw error ?? waitError;
		if (Number(acknowledged) < waitReplicas)
			throw new Error(
				`The write reached ${Number(acknowledged)} of ${waitReplicas} Redis replicas. Check the replicas.`,
			);
		return value;
	};
	const own = (key: string): string => `${keyPrefix}${key}`;

	return {
		...storage,
		set: async (key, value, ttl) => {
			await write((pipeline) =>
				ttl !== undefined && ttl > 0 ? pipeline.setex(own(key), ttl, value) : pipeline.set(own(key), value),
			);
		},
		delete: async (key) => {
			await write((pipeline) => pipeline.del(own(key)));
		},
		getAndDelete: (key) => write((pipeline) => pipeline.getdel(own(key))),
		// `increment` is for rate limits: losing a count in a failover is harmless, but waiting on each request is not
	};
};

/** Wraps the functions so that the current request records their failures. */
const noticing = ({ scanKeys, ...storage }: Storage): Storage => {
	const watched = Object.entries(storage).map(([name, call]: [string, (...args: never[]) => Promise<unknown>]) => [
		name,
		async (...args: never[]) => {
			try {
				return await call(...args);
			} catch (error) {
				noticeOutage();
				throw error;
			}
		},
	]);
	return {
		...Object.fromEntries(watched),
		scanKeys: async function* (prefix) {
			try {
				yield* scanKeys(prefix);
			} catch (error) {
				noticeOutage();
				throw error;
			}
		},
	};
};
