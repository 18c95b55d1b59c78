import { redisStorage } from "@better-auth/redis-storage";
import { Redis } from "ioredis";
import { createWorld, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";

const REDIS_URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";

/** A world with one signed-in user, whose sessions can be lost and restored. */
const databaseWorld = async () => {
	const world = await createWorld({ database: "postgres" });
	return {
		world,
		lose: async () => void (await world.database.query('alter table "session" rename to "sessionAway"')),
		comeBack: async () => void (await world.database.query('alter table "sessionAway" rename to "session"')),
	};
};

const redisWorld = async () => {
	const client = new Redis(REDIS_URL, { maxRetriesPerRequest: 1 });
	client.on("error", () => {});
	onTestFinished(() => client.disconnect());
	const storage = redisStorage({ client, keyPrefix: `tenants-outage-${crypto.randomUUID()}:` });
	onTestFinished(async () => {
		await client.connect().catch(() => {});
		await storage.clear();
	});
	const world = await createWorld({ engine: { secondaryStorage: storage } });
	return { world, lose: async () => client.disconnect(), comeBack: () => client.connect() };
};

const outages: [string, () => Promise<{ world: World; lose: () => Promise<void>; comeBack: () => Promise<void> }>][] = [
	["the database", databaseWorld],
	["Redis", redisWorld],
];

describe.each(outages)("while %s is unavailable", (_name, create) => {
	// threat 41
	it("fails a sign-out, keeps the cookie, and ends the session on retry", async () => {
		const { world, lose, comeBack } = await create();
		const tenantId = await world.newTenant();
		const browser = await world.signUp(tenantId, "ada@example.com");
		const cookies = browser.header();
		await lose();
		expect(await world.call("/sign-out", { browser, body: {} })).toMatchObject({
			status: 503,
			code: "STORE_UNAVAILABLE",
		});
		expect(browser.header()).toBe(cookies);
		await comeBack();
		const before = browser.copy();
		expect((await world.call("/get-session", { browser: before })).json.user.email).toBe("ada@example.com");
		expect((await world.call("/sign-out", { browser, body: {} })).status).toBe(200);
		expect((await world.call("/get-session", { browser: before })).json).toBeNull();
	});

	it("does not report a live session as missing", async () => {
		const { world, lose, comeBack } = await create();
		const tenantId = await world.newTenant();
		const browser = await world.signUp(tenantId, "ada@example.com");
		await lose();
		for (const path of ["/list-sessions", "/list-accounts"]) {
			const answer = await world.call(path, { browser });
			expect(answer.status).toBe(503);
			expect(answer.headers.getSetCookie()).toEqual([]);
		}
		const checked = await world.call("/get-session", { browser });
		// the database's error is not part of the response
		expect([checked.status, Object.keys(checked.json).sort()]).toEqual([500, ["code", "message"]]);
		await comeBack();
		expect((await world.call("/list-sessions", { browser })).status).toBe(200);
	});
});

describe("a database failure during sign-up", () => {
	it("returns an error that allows a retry", async () => {
		const world = await createWorld({ database: "postgres" });
		const tenantId = await world.newTenant();
		await world.database.query(
			`create function fail() returns trigger language plpgsql as $$ begin raise exception 'going down' using errcode = '57P01'; end $$`,
		);
		await world.database.query('create trigger failing before insert on "user" execute function fail()');
		const body = { tenantId, name: "Ada", email: "ada@example.com", password: PASSWORD };
		expect(await world.call("/tenant/sign-up/email", { body })).toMatchObject({
			status: 503,
			code: "STORE_UNAVAILABLE",
		});
		await world.database.query('drop trigger failing on "user"');
		expect((await world.call("/tenant/sign-up/email", { body })).status).toBe(200);
	});

	it("differs from the error for a taken email", async () => {
		const world = await createWorld({ database: "postgres" });
		const tenantId = await world.newTenant();
		const body = { tenantId, name: "Ada", email: "ada@example.com", password: PASSWORD };
		const answers = await Promise.all(Array.from({ length: 8 }, () => world.call("/tenant/sign-up/email", { body })));
		expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
	});
});
