import { afterEach, expect, it } from "vitest";
import { startWorker } from "../../src/jobs/worker.ts";
import { createRedis } from "../../src/redis/client.ts";
import { STATEMENTS, type Swept, sweep } from "../../src/sweep/sweep.ts";
import { createSweepTask, SWEEP_TASK, sweepSchedule } from "../../src/sweep/sweep-task.ts";
import { keepLines } from "../auth/lines.ts";
import { cookieHeader, makeWorld } from "../auth/world.ts";
import { jobsIn } from "../jobs/queue-world.ts";

type World = Awaited<ReturnType<typeof makeWorld>>;
let world: World;
afterEach(() => world.close());

/** Inserts rows that expire `minutes` from now, in a tenant or on the platform. */
const insert = async (tenantId: string, minutes: number, count: number): Promise<void> => {
	const values = [tenantId, minutes, count];
	await world.pool.query(
		`insert into "verification" ("id", "identifier", "value", "expiresAt", "createdAt", "updatedAt", "tenantId")
		select gen_random_uuid()::text, 'id', 'value', now() + make_interval(mins => $2), now(), now(), $1
		from generate_series(1, $3)`,
		values,
	);
	await world.pool.query(
		`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "tenantId")
		select 'user-' || $1, 'Ada', 'swept@example.com', true, now(), now(), $1 on conflict do nothing`,
		[tenantId],
	);
	await world.pool.query(
		`insert into "session" ("id", "token", "userId", "expiresAt", "createdAt", "updatedAt", "tenantId")
		select gen_random_uuid()::text, gen_random_uuid()::text, 'user-' || $1, now() + make_interval(mins => $2), now(), now(), $1
		from generate_series(1, $3)`,
		values,
	);
};
const countIn = async (table: string): Promise<number> =>
	(await world.pool.query(`select count(*)::int as rows from "${table}"`)).rows[0].rows;
/** Sweeps and returns how much was deleted where, and the largest batch. */
const swept = async () => {
	const rows: Partial<Record<Swept, number>> = {};
	let largest = 0;
	const isDone = await sweep({
		pool: world.pool,
		onSwept: (what, count) => {
			rows[what] = (rows[what] ?? 0) + count;
			largest = Math.max(largest, count);
		},
	});
	return { rows, largest, isDone };
};

it("deletes what expired more than an hour ago, of tenants and of the platform, and nothing else", async () => {
	world = await makeWorld();
	for (const tenantId of [world.acme.id, world.globex.id, "platform"]) {
		await insert(tenantId, -61, 700);
		// within the margin, and not expired
		await insert(tenantId, -59, 2);
		await insert(tenantId, 60, 3);
	}
	expect(await swept()).toEqual({
		rows: { session: 2_100, verification: 2_100 },
		largest: 1_000,
		isDone: true,
	});
	expect([await countIn("session"), await countIn("verification")]).toEqual([15, 15]);
	const { rows } = await world.pool.query(`select min("expiresAt") > now() - interval '1 hour' as kept from "session"`);
	expect(rows).toEqual([{ kept: true }]);
	expect((await swept()).rows).toEqual({});
});

it("finds expired rows among 100,000 by an index, for each table", async () => {
	world = await makeWorld();
	await insert(world.acme.id, 600, 100_000);
	await insert(world.globex.id, -120, 10);
	for (const table of ["session", "verification"] as const) {
		await world.pool.query(`analyze "${table}"`);
		const { rows } = await world.pool.query(`explain (format json) ${STATEMENTS[table]}`);
		const plan = JSON.stringify(rows);
		expect(plan).toContain(`${table}_expiresAt_idx`);
		expect(plan).not.toContain("Seq Scan");
	}
	expect((await swept()).rows).toEqual({ session: 10, verification: 10 });
	expect(await countIn("session")).toBe(100_000);
}, 120_000);

it("stops between batches, and goes on where it stopped", async () => {
	world = await makeWorld();
	await insert(world.acme.id, -120, 1_500);
	let batches = 0;
	const onSwept = () => {
		batches += 1;
	};
	expect(await sweep({ pool: world.pool, onSwept, isOver: () => batches >= 1 })).toBe(false);
	expect(await countIn("session")).toBe(500);
	expect((await swept()).rows).toEqual({ session: 500, verification: 1_500 });
});

it("ends no session that is alive, with or without its copy in Redis", async () => {
	world = await makeWorld({ REDIS_URL: process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379" });
	const cookies: string[] = [];
	for (const { id } of [world.acme, world.globex]) {
		const { cookies: set, status } = await world.signUp(id, "ada@example.com");
		expect(status).toBe(200);
		cookies.push(cookieHeader(set));
	}
	await insert(world.acme.id, -120, 5);
	expect((await swept()).rows.session).toBe(5);
	const alive = async () => {
		for (const cookie of cookies) {
			const { json } = await world.call("/get-session", { headers: { cookie } });
			expect(json.user).toMatchObject({ email: "ada@example.com" });
		}
	};
	await alive();
	// Redis loses its data: the rows are still there
	const prefix = world.config.redis?.keyPrefix ?? "";
	const redis = world.config.redis && createRedis(world.config.redis, world.logger);
	for (const key of (await redis?.keys(`${prefix}*`)) ?? []) await redis?.del(key);
	redis?.disconnect();
	await alive();
});

it("deletes mails that no process could send for three days", async () => {
	world = await makeWorld();
	const add = (key: string) => world.queue.add({ task: "mail", payload: {}, key, mostAttempts: 10 });
	await add("old");
	await world.pool.query("update tenants_jobs._private_jobs set created_at = now() - interval '73 hours'");
	await add("new");
	expect((await swept()).rows).toEqual({ mail: 1 });
	expect(await jobsIn(world.pool)).toHaveLength(1);
});

it("runs once for all processes, by schedule", async () => {
	world = await makeWorld();
	await insert(world.acme.id, -120, 3);
	// due ten minutes ago, while no process was running; the schedule has been known for longer
	const due = new Date(Date.now() - 600_000);
	const schedule = sweepSchedule(`${due.getUTCMinutes()} * * * *`);
	await world.pool.query(
		"insert into tenants_jobs._private_known_crontabs (identifier, known_since) values ('sweep', now() - interval '1 day')",
	);
	let runs = 0;
	const deleted: [Swept, number][] = [];
	const processes = [world, world.open(), world.open()].map(({ pool, queue }) => {
		const { logger } = keepLines();
		const task = createSweepTask({ pool, logger, onSwept: (what, rows) => deleted.push([what, rows]) });
		const tasks = {
			[SWEEP_TASK]: async (...given: Parameters<typeof task>) => {
				runs += 1;
				await task(...given);
			},
		};
		return startWorker({ pool, queue, tasks, schedule: [schedule], logger });
	});
	await expect.poll(() => deleted).toHaveLength(2);
	// all of them have looked at the schedule, and found nothing left to do
	await Promise.all(processes.map((worker) => worker.stop()));
	expect(runs).toBe(1);
	expect(deleted.sort()).toEqual([
		["session", 3],
		["verification", 3],
	]);
	expect(await jobsIn(world.pool)).toEqual([]);
});
