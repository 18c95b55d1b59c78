import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { checkSessions } from "../../src/doctor/check-sessions.ts";
import { createRedis } from "../../src/redis/client.ts";
import { dropKeys } from "../../src/redis/drop-keys.ts";
import { keepLog } from "../support/log.ts";
import { createWorld } from "../support/world.ts";
import { saying } from "./judge.ts";

const REDIS = { REDIS_URL: "redis://127.0.0.1:6379", REDIS_KEY_PREFIX: `test-${process.pid}-doctor-sessions:` };

it("warns about sessions in Redis that the database does not have, as after a physical restore", async () => {
	const world = await createWorld({ environment: REDIS });
	const config = world.config.redis;
	if (!config) throw new Error("Redis is not configured");
	const redis = createRedis(config, keepLog("silent").logger);
	const pool = new pg.Pool({ connectionString: world.database.url, max: 1 });
	onTestFinished(async () => {
		await dropKeys(redis, config.keyPrefix);
		redis.disconnect();
		await pool.end();
		await world.close();
	});
	const service = await world.start();
	const [acme, globex] = [await service.createTenant("acme"), await service.createTenant("globex")];
	for (const tenant of [acme, globex]) await service.signUp(tenant, "ada@example.com");
	const check = () => checkSessions(config, redis, pool);
	expect(saying(await check(), "ok")).toEqual(["2 sessions in Redis are also in the database"]);
	await pool.query('delete from "session" where "tenantId" = $1', [acme]);
	expect(await check()).toMatchObject([
		{
			status: "warning",
			says: expect.stringContaining("1 of 2 sessions in Redis are not in the database"),
			fix: expect.stringContaining("tenants restored"),
		},
	]);
	expect(await checkSessions(null, null, pool)).toEqual([]);
});
