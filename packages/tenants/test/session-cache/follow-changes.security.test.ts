import { createSessionCache, sessionCacheRemoval, sessionCacheSteps } from "better-auth-tenants";
import type { Pool } from "pg";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { endOfId } from "../../src/features/session-cache/change-log.ts";
import { followChanges } from "../../src/features/session-cache/follow-changes.ts";
import { REMEMBERED, rememberChanges } from "../../src/features/session-cache/remembered-changes.ts";
import { createCachedWorld, createStore } from "./support/cached-world.ts";

const LEASE = 5_000;
const MAX_AGE = 300_000;

/** A follower of a real PostgreSQL, with a clock of its own, and one user of a tenant. */
const createFollowed = async () => {
	const { world } = await createCachedWorld();
	const tenantId = await world.newTenant();
	await world.signUp(tenantId, "ada@example.com");
	const [row] = await world.database.query(`select id from "user" where email = 'ada@example.com'`);
	const userId = String(row?.id);
	const clock = { now: 1_000_000, asked: world.database.query };
	const follower = followChanges({
		ask: (sql) => clock.asked(sql),
		schema: null,
		every: 1_000,
		lease: LEASE,
		maxAge: MAX_AGE,
		now: () => clock.now,
	});
	// what the sign-up changed counts for a new process, too
	await world.database.query("delete from tenant_session_change");
	await follower.follow();
	return {
		world,
		pool: world.database.connection as Pool,
		tenantId,
		userId,
		clock,
		follower,
		copied: () => ({ tenantId, userId, stamp: follower.stamp() ?? "" }),
		rename: `update "user" set name = 'Grace' where id = '${userId}'`,
	};
};

/** The same copy, from so many milliseconds before. */
const older = <Copied extends { stamp: string }>(copied: Copied, milliseconds: number): Copied => {
	const [at, server] = copied.stamp.split("@");
	return { ...copied, stamp: `${Number(at) - milliseconds}@${server}` };
};

// threat 177
describe("a copy", () => {
	it("is used while the look is young, and not before the first one", async () => {
		const { follower, copied, clock } = await createFollowed();
		const one = copied();
		expect(follower.isCurrent(one)).toBe(true);
		clock.now += LEASE - 1;
		expect(follower.isCurrent(one)).toBe(true);
		clock.now += 1;
		expect([follower.isCurrent(one), follower.stamp()]).toEqual([false, null]);
		const fresh = followChanges({ ask: async () => [], schema: null, every: 1, lease: LEASE, maxAge: MAX_AGE });
		expect([fresh.isCurrent(one), fresh.stamp()]).toEqual([false, null]);
	});

	it("is used up to its age, by the database's clock, and never from the future", async () => {
		const { follower, copied } = await createFollowed();
		const one = copied();
		for (const [age, isCurrent] of [
			[MAX_AGE - 1, true],
			[MAX_AGE, false],
			[-1, false],
		] as const)
			expect([age, follower.isCurrent(older(one, age))]).toEqual([age, isCurrent]);
	});

	it("is not used after a look that takes longer than it counts, or fails", async () => {
		const { follower, copied, clock } = await createFollowed();
		const one = copied();
		const { asked } = clock;
		clock.asked = async (sql) => {
			const rows = await asked(sql);
			clock.now += LEASE;
			return rows;
		};
		await follower.follow();
		expect(follower.isCurrent(one)).toBe(false);
		clock.asked = asked;
		await follower.look();
		expect(follower.isCurrent(one)).toBe(true);
		clock.asked = async () => {
			throw new Error("down");
		};
		await follower.follow();
		expect(follower.isCurrent(one)).toBe(false);
	});
});

// threat 177
describe("a look that fails", () => {
	const failing = (ask: () => Promise<never>, onFailure?: (error: unknown) => void, lease = LEASE) =>
		followChanges({ ask, schema: null, every: 1, lease, maxAge: MAX_AGE, ...(onFailure ? { onFailure } : {}) });
	const down = async (): Promise<never> => {
		throw new Error("down");
	};

	it("holds nobody, also if the application's function for errors throws, again and again", async () => {
		const follower = failing(down, () => {
			throw new Error("the logger is down");
		});
		for (let look = 0; look < 3; look += 1) await expect(follower.follow()).resolves.toBeUndefined();
		expect(follower.stamp()).toBeNull();
	});

	it("for ever holds nobody for longer than a look counts", async () => {
		const errors: unknown[] = [];
		const follower = failing(
			() => new Promise<never>(() => {}),
			(error) => errors.push(error),
			20,
		);
		await follower.follow();
		expect(errors.map(String)).toEqual([expect.stringContaining("does not say what has changed")]);
		// and nobody waits for the next one
		const began = performance.now();
		for (let change = 0; change < 100; change += 1) await follower.follow();
		expect(errors).toHaveLength(1);
		expect(performance.now() - began).toBeLessThan(1_000);
	});
});

// threat 177
describe("sessionCacheSteps", () => {
	it("returns what is missing: nothing when all is there, and what was dropped, turned off or changed", async () => {
		const { world } = await createCachedWorld();
		const steps = () => sessionCacheSteps(world.auth);
		expect(await steps()).toEqual([]);
		for (const [statement, ...needed] of [
			['drop trigger tenant_user_end on "user"', /create trigger "tenant_user_end"/],
			['alter table "session" disable trigger tenant_session_end', /create trigger "tenant_session_end"/],
			["drop index tenant_session_change_xid", /create index .*"tenant_session_change_xid"/],
			[
				"drop function tenant_session_end cascade",
				/create or replace function \S*"tenant_session_end"/,
				/create trigger/,
			],
			[
				"create or replace function tenant_user_change() returns trigger language plpgsql as $$begin return null; end$$",
				/create or replace function \S*"tenant_user_change"/,
			],
			["drop table tenant_session_change", /create table/, /create index/],
		] as const) {
			await world.database.query(statement);
			const missing = await steps();
			expect(missing).toEqual(needed.map((pattern) => expect.stringMatching(pattern)));
			for (const one of missing) await world.database.query(one);
			expect(await steps()).toEqual([]);
		}
	});
});

it("sessionCacheRemoval leaves nothing, and users change as before", async () => {
	const { world } = await createCachedWorld();
	const browser = await world.signUp(await world.newTenant(), "ada@example.com");
	for (const statement of await sessionCacheRemoval(world.auth)) await world.database.query(statement);
	expect(await sessionCacheRemoval(world.auth)).toEqual([]);
	const left = await world.database.query(
		"select tgname as name from pg_trigger where tgname like 'tenant%' union all select proname from pg_proc where proname like 'tenant%' union all select relname from pg_class where relname like 'tenant_session%'",
	);
	expect(left).toEqual([]);
	expect((await world.call("/update-user", { browser, body: { name: "Grace" } })).status).toBe(200);
});

it("sessionCacheSteps says what it needs", async () => {
	const world = await createWorld();
	await expect(sessionCacheSteps(world.auth)).rejects.toThrow(/only PostgreSQL.*adapter/s);
	const { world: cached } = await createCachedWorld();
	const { tables } = await cached.auth.$context;
	const context = (schema: object) => ({
		adapter: { id: "drizzle", options: { provider: "pg", schema } },
		options: { plugins: [{ id: "tenant-auth", options: { database: { client: { execute: async () => [] } } } }] },
		tables,
	});
	const ofOrm = (schema: object) => sessionCacheSteps({ $context: Promise.resolve(context(schema)) });
	await expect(ofOrm({})).rejects.toThrow(/not in your ORM's schema/);
	await cached.database.query('alter table "session" rename to "elsewhere"');
	await expect(sessionCacheSteps(cached.auth)).rejects.toThrow(/Run Better Auth's migration first/);
});

// threat 177
describe("without a trigger", () => {
	it.each([
		'drop trigger tenant_user_change on "user"',
		'alter table "session" disable trigger tenant_session_end',
		"drop table tenant_session_change",
	])("no copy is used: %s", async (statement) => {
		const { follower, copied, world } = await createFollowed();
		const one = copied();
		await world.database.query(statement);
		await follower.follow();
		expect([follower.isCurrent(one), follower.stamp()]).toEqual([false, null]);
	});
});

// threat 177
describe("a change", () => {
	it("of the user ends the user's copies and no others, whoever writes it", async () => {
		const { follower, copied, world, rename, tenantId } = await createFollowed();
		await world.database.query(rename);
		await follower.follow();
		expect(follower.isCurrent(copied())).toBe(false);
		expect(follower.isCurrent({ ...copied(), userId: "another" })).toBe(true);
		expect(follower.isCurrent({ ...copied(), tenantId: `${tenantId}x` })).toBe(true);
	});

	it.each(["session", "user"])("is that all rows of the table %s are gone", async (table) => {
		const { follower, copied, world, tenantId } = await createFollowed();
		await world.database.query(`truncate "${table}" cascade`);
		await follower.follow();
		expect(follower.isCurrent(copied())).toBe(false);
		expect(follower.isCurrent({ ...copied(), tenantId: `${tenantId}x`, userId: "another" })).toBe(false);
	});

	it("that another server recorded, of which a dump was restored here, is none, and is deleted", async () => {
		const { world, follower, copied, clock, tenantId, userId } = await createFollowed();
		await world.database.query(
			`insert into tenant_session_change (xid, "tenantId", "userId") values ('99999999999', '${tenantId}', right('${userId}', 8))`,
		);
		await follower.follow();
		expect(follower.isCurrent(copied())).toBe(true);
		// the first look that is as old as a change may count
		clock.now += REMEMBERED + 1_000;
		await follower.follow();
		await follower.forget();
		expect(await world.database.query("select * from tenant_session_change")).toEqual([]);
	});

	it("is recorded without naming the user, whatever the id is made of", async () => {
		const { follower, copied, world, rename, userId } = await createFollowed();
		await world.database.query(rename);
		expect(JSON.stringify(await world.database.query("select * from tenant_session_change"))).not.toContain(userId);
		await follower.follow();
		expect(follower.isCurrent(copied())).toBe(false);
		const odd = "user-\u{1F511}\u{1F511}\u{1F511}-1234";
		const [row] = await world.database.query(`select right('${odd}', 8) as recorded`);
		expect(row?.recorded).toBe(endOfId(odd));
	});

	it("is seen if its transaction commits after a later one, and after many looks", async () => {
		const { follower, copied, pool, rename, world } = await createFollowed();
		const held = await pool.connect();
		try {
			await held.query("begin");
			await held.query(rename);
			// a later transaction, that commits before
			await world.database.query(`update "user" set name = 'Eve' where email = 'nobody@example.com'`);
			await world.newTenant();
			for (let look = 0; look < 3; look += 1) await follower.follow();
			expect(follower.isCurrent(copied())).toBe(true);
			await held.query("commit");
			await follower.follow();
			expect(follower.isCurrent(copied())).toBe(false);
		} finally {
			held.release();
		}
	});

	it("that is rolled back is none", async () => {
		const { follower, copied, pool, rename } = await createFollowed();
		const held = await pool.connect();
		await held.query("begin");
		await held.query(rename);
		await held.query("rollback");
		held.release();
		await follower.follow();
		expect(follower.isCurrent(copied())).toBe(true);
	});

	it("of a session's end alone is none if it lasts longer, and one if it is shorter or the session is another's", async () => {
		for (const [set, isCurrent] of [
			[`"expiresAt" = "expiresAt" + interval '1 day', "updatedAt" = now()`, true],
			[`"expiresAt" = "expiresAt" - interval '1 day'`, false],
			[`"userAgent" = 'another'`, false],
		] as const) {
			const { follower, copied, world } = await createFollowed();
			await world.database.query(`update "session" set ${set}`);
			await follower.follow();
			expect([set, follower.isCurrent(copied())]).toEqual([set, isCurrent]);
		}
	});

	it("of a session that has ended is none", async () => {
		const { follower, copied, world } = await createFollowed();
		await world.database.query(`update "session" set "expiresAt" = now() - interval '1 day'`);
		await world.database.query("delete from tenant_session_change");
		await world.database.query(`delete from "session"`);
		await follower.follow();
		expect(await world.database.query("select * from tenant_session_change")).toEqual([]);
		expect(follower.isCurrent(copied())).toBe(true);
	});

	it("of more than a thousand users is one of their tenant", async () => {
		const { follower, copied, world, tenantId } = await createFollowed();
		await world.database.query(
			`insert into "user" (id, name, email, "emailVerified", "createdAt", "updatedAt", "tenantId") select 'bulk-' || n, 'x', n || '@bulk.example', false, now(), now(), '${tenantId}' from generate_series(1, 1001) n`,
		);
		await world.database.query(`update "user" set name = 'y' where id like 'bulk-%'`);
		expect(await world.database.query(`select "tenantId", "userId" from tenant_session_change`)).toEqual([
			{ tenantId, userId: null },
		]);
		await follower.follow();
		expect(follower.isCurrent(copied())).toBe(false);
	});

	it("is seen at another server, as after a failover or a restore, where no copy of before is used", async () => {
		const { follower, copied, clock, world, rename, userId } = await createFollowed();
		const [one, other] = [copied(), { ...copied(), userId: "another" }];
		await world.database.query(rename);
		const { asked } = clock;
		const asks: string[] = [];
		clock.asked = async (sql) => {
			asks.push(sql);
			const rows = await asked(sql);
			// the numbers of its transactions say nothing about those of the first
			return [{ ...rows[0], server: "another", ...(asks.length === 1 ? { changes: [] } : {}) }];
		};
		await follower.follow();
		expect(asks.map((sql) => sql.includes("pg_visible_in_snapshot"))).toEqual([true, false]);
		for (const copy of [one, other]) expect(follower.isCurrent(copy)).toBe(false);
		expect(follower.isCurrent(copied())).toBe(false);
		expect(follower.isCurrent({ ...copied(), userId: `${userId}x` })).toBe(true);
	});

	it("that is forgotten counts again if the database's clock is set back", async () => {
		const { follower, copied, clock } = await createFollowed();
		const { asked } = clock;
		await follower.follow();
		clock.asked = async (sql) => {
			const rows = await asked(sql);
			return [{ ...rows[0], at: String(Number(rows[0]?.at) - 660_000) }];
		};
		const one = older(copied(), 660_000);
		await follower.follow();
		expect(follower.isCurrent(one)).toBe(false);
	});

	it("is read once, also beside a transaction that is open all the time", async () => {
		const { follower, copied, clock, pool, world, rename } = await createFollowed();
		const held = await pool.connect();
		try {
			await held.query("begin");
			await held.query("select pg_current_xact_id()");
			await world.database.query(rename);
			const found: unknown[] = [];
			const { asked } = clock;
			clock.asked = async (sql) => {
				const rows = await asked(sql);
				found.push(rows[0]?.changes);
				return rows;
			};
			for (let look = 0; look < 3; look += 1) await follower.follow();
			expect(found.map((changes) => (changes as unknown[]).length)).toEqual([1, 0, 0]);
			expect(follower.isCurrent(copied())).toBe(false);
		} finally {
			await held.query("rollback");
			held.release();
		}
	});

	it("is none if a statement writes what was there", async () => {
		const { follower, copied, world, userId } = await createFollowed();
		await world.database.query(`update "user" set name = name where id = '${userId}'`);
		await follower.follow();
		expect(follower.isCurrent(copied())).toBe(true);
	});

	it.each([
		["with another search path", "create schema beside; set search_path = beside", ""],
		[
			"with a table of the same name in its search path",
			"create schema beside; create table beside.tenant_session_change (like public.tenant_session_change including all); set search_path = beside, public",
			"",
		],
		[
			"with a temporary table of the same name",
			"create temporary table tenant_session_change (like public.tenant_session_change including all)",
			"",
		],
		["while a role replicates", "set session_replication_role = replica", ""],
		[
			"by a role that may not write the record",
			'create role ROLE; grant usage on schema public to ROLE; grant select, update, delete on session, "user" to ROLE; set role ROLE',
			"reset role; drop owned by ROLE; drop role ROLE",
		],
	])("is recorded %s", async (_how, before, after) => {
		const { follower, copied, pool } = await createFollowed();
		const role = `writer_${Math.random().toString(36).slice(2)}`;
		const client = await pool.connect();
		try {
			await client.query(before.replaceAll("ROLE", role));
			await client.query('delete from public."session"');
		} finally {
			if (after) await client.query(after.replaceAll("ROLE", role));
			client.release(true);
		}
		await follower.follow();
		expect(follower.isCurrent(copied())).toBe(false);
	});

	it("is the end of a session whose column has no time zone, also where that is ahead", async () => {
		const { follower, copied, pool, world } = await createFollowed();
		await world.database.query(
			`alter table "session" alter column "expiresAt" type timestamp using "expiresAt" at time zone 'UTC'`,
		);
		const client = await pool.connect();
		try {
			await client.query("set timezone = 'Asia/Tokyo'");
			await client.query(`update "session" set "expiresAt" = (now() at time zone 'UTC') + interval '1 hour'`);
			await follower.follow();
			await client.query("delete from tenant_session_change");
			await client.query('delete from "session"');
			expect((await client.query("select * from tenant_session_change")).rows).toHaveLength(1);
		} finally {
			client.release(true);
		}
		expect(follower.isCurrent(copied())).toBe(false);
	});
});

// threat 177
describe("a lease", () => {
	it("is over when the machine was paused, although its own clock stood still", async () => {
		const { world } = await createCachedWorld();
		const clocks = { now: 0, wall: 0 };
		const follower = followChanges({
			ask: world.database.query,
			schema: null,
			every: 1_000,
			lease: LEASE,
			maxAge: MAX_AGE,
			now: () => clocks.now,
			wallClock: () => clocks.wall,
		});
		await follower.follow();
		expect(follower.stamp()).not.toBeNull();
		clocks.wall += LEASE;
		expect(follower.stamp()).toBeNull();
	});

	it("is not granted by a look that nobody waited for any more", async () => {
		const { world } = await createCachedWorld();
		const late: (() => void)[] = [];
		let isSlow = true;
		const follower = followChanges({
			ask: async (sql) => {
				if (isSlow) await new Promise<void>((resolve) => late.push(resolve));
				return world.database.query(sql);
			},
			schema: null,
			every: 1,
			lease: 20,
			maxAge: MAX_AGE,
			// so that only the patience ends
			now: () => 0,
			wallClock: () => 0,
		});
		await follower.follow();
		isSlow = false;
		for (const respond of late) respond();
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(follower.stamp()).toBeNull();
		await follower.look();
		expect(follower.stamp()).not.toBeNull();
	});

	it("is not granted by a look that began before a change nobody waited for", async () => {
		const { world } = await createCachedWorld();
		const gate = { fails: true, held: null as Promise<void> | null, asked: 0 };
		const follower = followChanges({
			ask: async (sql) => {
				gate.asked += 1;
				if (gate.fails) throw new Error("down");
				await gate.held;
				return world.database.query(sql);
			},
			schema: null,
			every: 1_000,
			lease: LEASE,
			maxAge: MAX_AGE,
		});
		await follower.follow();
		gate.fails = false;
		let release = (): void => {};
		gate.held = new Promise((resolve) => {
			release = resolve;
		});
		const looking = follower.look();
		await expect.poll(() => gate.asked).toBe(2);
		// a change, whose request goes on
		await follower.follow();
		release();
		await looking;
		expect(follower.stamp()).toBeNull();
		await expect.poll(() => follower.stamp()).not.toBeNull();
		expect(gate.asked).toBe(3);
	});

	it("is looked after by one timer, which ends", async () => {
		const { world } = await createCachedWorld();
		const looks = { count: 0 };
		const follower = followChanges({
			ask: async (sql) => {
				looks.count += 1;
				return world.database.query(sql);
			},
			schema: null,
			every: 5,
			lease: LEASE,
			maxAge: MAX_AGE,
		});
		await follower.start();
		await follower.start();
		await expect.poll(() => looks.count).toBeGreaterThan(3);
		const starting = follower.start();
		follower.stop();
		await starting;
		await follower.look();
		const { count } = looks;
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(looks.count).toBe(count);
	});
});

// threat 177
describe("what is remembered", () => {
	it("counts for longer than any copy, from when it was last seen", () => {
		const changes = rememberChanges();
		changes.add([["acme", "ada"]], 0);
		changes.add([["acme", "ada"]], 10);
		changes.add([], REMEMBERED + 10);
		expect(changes.has("acme", "ada")).toBe(true);
		changes.add([], REMEMBERED + 11);
		expect(changes.has("acme", "ada")).toBe(false);
		expect(REMEMBERED).toBeGreaterThan(MAX_AGE);
	});

	it("is bounded, by remembering tenants instead", () => {
		const changes = rememberChanges(2);
		changes.add(
			["ada", "bob", "eve"].map((user) => ["acme", user]),
			0,
		);
		expect(changes.size()).toBe(3);
		for (const user of ["ada", "bob", "eve", "somebody"]) expect(changes.has("acme", user)).toBe(true);
		expect(changes.has("globex", "ada")).toBe(false);
	});
});

// threat 177
it.each([
	["maxAge", { maxAge: 301 }],
	["maxAge", { maxAge: 0 }],
	["lease", { lease: 61 }],
	["every", { every: 6 }],
	["every", { every: Number.NaN }],
])("a cache that could forget a change too early does not start: %s %o", (name, options) => {
	const store = createStore();
	expect(() => createSessionCache({ database: { query: async () => ({ rows: [] }) }, store, ...options })).toThrow(
		`createSessionCache: ${name} is`,
	);
});

// threat 177
it("a second store of sessions beside the cache does not start", async () => {
	const sessionCache = createSessionCache({ database: { query: async () => ({ rows: [] }) }, store: createStore() });
	await expect(createWorld({ redis: true, tenantAuth: { sessionCache } })).rejects.toThrow("Remove `secondaryStorage`");
});
