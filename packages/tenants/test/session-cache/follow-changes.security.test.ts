import { createSessionCache } from "better-auth-tenants";
import type { Pool } from "pg";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
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
	const readAt = (): number => follower.readAt() ?? Number.NaN;
	return {
		world,
		pool: world.database.connection as Pool,
		tenantId,
		userId,
		clock,
		follower,
		copied: () => ({ tenantId, userId, readAt: readAt() }),
		rename: `update "user" set name = 'Grace' where id = '${userId}'`,
	};
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
		expect([follower.isCurrent(one), follower.readAt()]).toEqual([false, null]);
		const fresh = followChanges({ ask: async () => [], schema: null, every: 1, lease: LEASE, maxAge: MAX_AGE });
		expect([fresh.isCurrent(one), fresh.readAt()]).toEqual([false, null]);
	});

	it("is used up to its age, by the database's clock, and never from the future", async () => {
		const { follower, copied } = await createFollowed();
		const one = copied();
		for (const [older, isCurrent] of [
			[MAX_AGE - 1, true],
			[MAX_AGE, false],
			[-1, false],
		] as const)
			expect([older, follower.isCurrent({ ...one, readAt: one.readAt - older })]).toEqual([older, isCurrent]);
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
		await follower.follow();
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
		expect(follower.readAt()).toBeNull();
	});

	it("for ever holds nobody for longer than a look counts", async () => {
		const errors: unknown[] = [];
		const follower = failing(
			() => new Promise<never>(() => {}),
			(error) => errors.push(error),
			20,
		);
		for (let look = 0; look < 2; look += 1) await follower.follow();
		expect(errors.map(String)).toEqual(Array(2).fill(expect.stringContaining("does not say what has changed")));
	});
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
		expect([follower.isCurrent(one), follower.readAt()]).toEqual([false, null]);
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

	it("is seen again in a database that was restored, whose transactions begin again", async () => {
		const { follower, copied, clock, world, rename } = await createFollowed();
		await world.database.query(rename);
		const { asked } = clock;
		const froms: string[] = [];
		clock.asked = async (sql) => {
			froms.push(/xid >= '(\d+)'/.exec(sql)?.[1] ?? "");
			const rows = await asked(sql);
			return froms.length === 1 ? [{ ...rows[0], xmin: "3", changes: [] }] : rows;
		};
		await follower.follow();
		expect(froms[1]).toBe("0");
		expect(follower.isCurrent(copied())).toBe(false);
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
