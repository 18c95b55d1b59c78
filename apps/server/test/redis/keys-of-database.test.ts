import { redisStorage } from "@better-auth/redis-storage";
import { expect, it, onTestFinished } from "vitest";
import { createRedis } from "../../src/redis/client.ts";
import { followDatabase } from "../../src/redis/follow-database.ts";
import { keysOfDatabase } from "../../src/redis/keys-of-database.ts";
import { read } from "../config/environment.ts";
import { keepLog } from "../support/log.ts";

const PREFIX = `test-${process.pid}-keys-of-database:`;

it("finds nothing that was written for another database, in any way", async () => {
	const { redis: config } = read({ REDIS_URL: "redis://127.0.0.1:6379", REDIS_KEY_PREFIX: PREFIX });
	if (!config) throw new Error("Redis is not configured");
	const redis = createRedis(config, keepLog("silent").logger);
	let identity = "one";
	const values = keysOfDatabase(redisStorage({ client: redis, keyPrefix: PREFIX }), () => identity);
	onTestFinished(async () => {
		await redis.del(...(await redis.keys(`${PREFIX}*`)));
		redis.disconnect();
	});
	await values.set("session", "of one", 60);
	expect(await values.increment("count", 60)).toBe(1);
	identity = "two";
	expect(await values.get("session")).toBeNull();
	expect(await values.increment("count", 60)).toBe(1);
	await values.set("session", "of two", 60);
	await values.delete("session");
	identity = "one";
	expect(await values.get("session")).toBe("of one");
	expect(await values.increment("count", 60)).toBe(2);
});

it("takes up the identity of a database that is restored meanwhile, and keeps the last one while there is none", async () => {
	const log = keepLog();
	let answer = async (): Promise<string> => "one";
	const database = await followDatabase({ read: () => answer(), every: 300, logger: log.logger });
	onTestFinished(database.close);
	answer = () => Promise.reject(new Error("down"));
	await database.look();
	expect(database.identity()).toBe("one");
	expect(log.lines()).toEqual([]);
	answer = async () => "two";
	await database.look();
	await database.look();
	expect(database.identity()).toBe("two");
	expect(log.lines()).toMatchObject([{ level: "warn", msg: expect.stringContaining("restored") }]);
});

it("does not begin without an identity", async () => {
	const { logger } = keepLog();
	await expect(followDatabase({ read: () => Promise.reject(new Error("down")), every: 5, logger })).rejects.toThrow();
});
