import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { createRedis } from "../../src/redis/client.ts";
import { keepLog } from "../support/log.ts";
import { createWorld } from "../support/world.ts";
import { serverEnvironment } from "./support/environment.ts";
import { runCommand } from "./support/run-command.ts";

const PREFIX = `test-${process.pid}-command:`;
const REDIS = { REDIS_URL: "redis://127.0.0.1:6379", REDIS_KEY_PREFIX: PREFIX };

const makeWorld = async () => {
	const world = await createWorld({ environment: REDIS });
	if (!world.config.redis) throw new Error("Redis is not configured");
	const redis = createRedis(world.config.redis, keepLog("silent").logger);
	const database = new pg.Pool({ connectionString: world.database.url, max: 1 });
	onTestFinished(async () => {
		redis.disconnect();
		await database.end();
		await world.close();
	});
	const service = await world.start();
	const acme = await service.createTenant("acme");
	await service.signUp(acme, "ada@example.com");
	const { headers } = await service.signIn(acme, "ada@example.com");
	const cookie = headers
		.getSetCookie()
		.map((one) => one.split(";")[0])
		.join("; ");
	// a copy is kept once this process follows the changes
	const check = async () => {
		await service.call("/api/auth/get-session", { headers: { cookie } });
		return (await redis.keys(`${PREFIX}*`)).length;
	};
	await expect.poll(check, { timeout: 20_000 }).toBeGreaterThan(0);
	return {
		redis,
		run: (...args: string[]) =>
			runCommand(["restored", ...args], { env: serverEnvironment(world.database.url, REDIS) }),
		sessions: async () => Number((await database.query('select count(*) from "session"')).rows[0].count),
		keys: async () => (await redis.keys(`${PREFIX}*`)).length,
	};
};

it("removes this server's keys from Redis, no others, and keeps the sessions in the database", async () => {
	const { redis, run, sessions, keys } = await makeWorld();
	const other = `other-${PREFIX}key`;
	await redis.set(other, "value", "EX", 60);
	const before = await keys();
	expect(before).toBeGreaterThanOrEqual(1);
	const ran = await run("--json");
	expect(ran).toMatchObject({ code: 0, stderr: "" });
	expect(ran.json()).toEqual({ endedSessions: null, removedKeys: before });
	expect([await keys(), await sessions(), await redis.get(other)]).toEqual([0, 2, "value"]);
	await redis.del(other);
});

it("ends all sessions if that is confirmed", async () => {
	const { run, sessions, keys } = await makeWorld();
	const refused = await run("--end-sessions", "--json");
	expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("NOT_CONFIRMED") });
	expect(await sessions()).toBe(2);
	const ran = await run("--end-sessions", "--yes");
	expect(ran.code).toBe(0);
	expect(ran.stdout).toMatch(/^Ended 2 sessions\nRemoved \d+ keys from Redis\n$/);
	expect([await keys(), await sessions()]).toEqual([0, 0]);
});
