import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { createRedis } from "../../src/redis/client.ts";
import { dropKeys } from "../../src/redis/drop-keys.ts";
import { dumpDatabase } from "../support/dump.ts";
import { createWorld } from "../support/world.ts";

const REDIS = { REDIS_URL: "redis://127.0.0.1:6379", REDIS_KEY_PREFIX: `test-${process.pid}-restored:` };

const cookieOf = (answer: Response): string =>
	answer.headers
		.getSetCookie()
		.map((cookie) => cookie.split(";")[0])
		.join("; ");

const makeWorld = async (more: Record<string, string> = {}) => {
	const world = await createWorld({ environment: { ...REDIS, ...more } });
	onTestFinished(async () => {
		await world.close();
		if (!world.config.redis) return;
		const redis = createRedis(world.config.redis, world.log.logger);
		await dropKeys(redis, world.config.redis.keyPrefix);
		redis.disconnect();
	});
	return world;
};
type Running = { call: (path: string, init?: RequestInit) => Promise<Response> };
const emailOf = async (service: Running, cookie: string): Promise<string | null> => {
	const session = await (await service.call("/api/auth/get-session", { headers: { cookie } })).json();
	return (session as { user: { email: string } } | null)?.user.email ?? null;
};

// threat 99
it("does not know users and sessions that Redis has, but the restored database has not", async () => {
	const world = await makeWorld();
	const before = await world.start();
	const [acme, globex] = [await before.createTenant("acme"), await before.createTenant("globex")];
	const ada = cookieOf(await before.signUp(acme, "ada@example.com"));
	const neighbor = cookieOf(await before.signUp(globex, "ada@example.com"));
	const dump = await dumpDatabase(world.database.url);
	const eve = cookieOf(await before.signUp(acme, "eve@example.com"));
	const adaLater = cookieOf(await before.signIn(acme, "ada@example.com"));
	expect(await emailOf(before, eve)).toBe("eve@example.com");
	await before.close();
	await dump.restoreInto(world.database.url, "--clean");

	const after = await world.start();
	expect(await emailOf(after, eve)).toBeNull();
	expect(await emailOf(after, adaLater)).toBeNull();
	// what the dump has is valid, in each tenant
	expect(await emailOf(after, ada)).toBe("ada@example.com");
	expect(await emailOf(after, neighbor)).toBe("ada@example.com");
	expect(await emailOf(after, cookieOf(await after.signIn(acme, "ada@example.com")))).toBe("ada@example.com");
	expect((await after.signIn(acme, "eve@example.com")).status).toBe(401);
	expect(await emailOf(after, cookieOf(await after.signUp(acme, "eve@example.com")))).toBe("eve@example.com");
});

// threat 99
it("takes up a database that is restored while it runs", async () => {
	const world = await makeWorld({ TENANT_CACHE_MAX_AGE: "1" });
	const service = await world.start();
	const acme = await service.createTenant("acme");
	const ada = cookieOf(await service.signUp(acme, "ada@example.com"));
	const dump = await dumpDatabase(world.database.url);
	const eve = cookieOf(await service.signUp(acme, "eve@example.com"));
	expect(await emailOf(service, eve)).toBe("eve@example.com");
	await dump.restoreInto(world.database.url, "--clean");
	const said = () => world.log.lines().find(({ msg }) => msg?.includes("database was restored"))?.level;
	await expect.poll(said, { timeout: 20_000 }).toBe("warn");
	expect(await emailOf(service, eve)).toBeNull();
	expect(await emailOf(service, ada)).toBe("ada@example.com");
});

it("does not start with Redis if it cannot tell which database this is", async () => {
	const world = await makeWorld();
	const client = new pg.Client({ connectionString: world.database.url });
	await client.connect();
	await client.query("create schema if not exists shadow");
	// found first, and fails
	await client.query(
		`create function shadow.pg_control_system() returns table("system_identifier" bigint) language plpgsql as $$ begin raise exception 'no'; end $$`,
	);
	await client.query(
		`alter database ${new URL(world.database.url).pathname.slice(1)} set search_path = shadow, pg_catalog, public`,
	);
	await client.end();
	await expect(world.start()).rejects.toThrow("The identity of the database could not be read");
});
