import { redisStorage } from "@better-auth/redis-storage";
import type { ChainableCommander, Redis } from "ioredis";
import type { RedisConfig } from "../config/redis.ts";
import { noticeOutage } from "../database/outage.ts";
import { hushSentinels } from "./hush-sentinels.ts";
import { neverGiveUp } from "./never-give-up.ts";

export type Storage = ReturnType<typeof redisStorage>;

/** Milliseconds that replicas have to take a write; less than a command may take. */
const WAIT_TIMEOUT = 500;

/**
 * The engine's secondary storage in Redis. With `waitReplicas` a write counts as done when that many replicas have it,
 * so that a failover brings no ended session back; otherwise it throws, and the caller is told 503.
 */
export const createStorage = (client: Redis, config: RedisConfig): Storage => {
	const storage = redisStorage({ client, keyPrefix: config.keyPrefix });
	return noticing(config.waitReplicas > 0 ? waitingForReplicas(storage, client, config) : storage);
};

const waitingForReplicas = (storage: Storage, client: Redis, { keyPrefix, waitReplicas }: RedisConfig): Storage => {
	// WAIT holds up its connection: on one of its own, so that reads go on while a replica is slow
	const writer = client.duplicate();
	writer.on("error", () => {}); // the client that was given says the same to the log
	hushSentinels(writer);
	neverGiveUp(writer);
	// once it stays so
	client.on("end", () => setImmediate(() => client.status === "end" && writer.disconnect()));

	const write = async (command: (pipeline: ChainableCommander) => ChainableCommander): Promise<unknown> => {
		const results = await command(writer.pipeline()).wait(waitReplicas, WAIT_TIMEOUT).exec();
		const [[error, value] = [null, null], [waitError, acknowledged] = [null, 0]] = results ?? [];
		if (error ?? waitError) throw error ?? waitError;
		if (Number(acknowledged) < waitReplicas)
			throw new Error(`Redis has this write on ${Number(acknowledged)} of ${waitReplicas} replicas. Look after them.`);
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
		// `increment` counts for rate limits: a count that a failover forgets does no harm, waiting at each request would
	};
};

/** The same functions, whose failures the running request remembers. */
const noticing = (storage: Storage): Storage => {
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
	return Object.fromEntries(watched);
};
