import { AsyncLocalStorage } from "node:async_hooks";
import { passTimeInQueue } from "test-kit/pass-time-in-queue";
import { startProcess } from "test-kit/processes";
import { startPgBouncer } from "test-kit/servers/pgbouncer";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DEAD_AFTER, LONGEST_PAUSE, upkeep } from "../../src/jobs/upkeep.ts";
import type { DyingWorker } from "./dying-worker.ts";
import { createQueueWorld, jobOf, jobsIn } from "./queue-world.ts";

let world: Awaited<ReturnType<typeof createQueueWorld>>;
beforeEach(async () => {
	world = await createQueueWorld();
});
afterEach(() => world.close());

it("runs jobs of its own and of other processes, and deletes them", async () => {
	const [here, elsewhere] = [world.join(), world.join()];
	const ran: unknown[] = [];
	here.work({ test: (payload) => void ran.push(payload) });
	await here.queue.add(jobOf("test", { from: "here" }));
	await elsewhere.queue.add(jobOf("test", { from: "elsewhere" }));
	await expect.poll(() => ran).toHaveLength(2);
	expect(ran).toEqual(expect.arrayContaining([{ from: "here" }, { from: "elsewhere" }]));
	await expect.poll(() => jobsIn(here.pool)).toEqual([]);
});

it("uses at most two connections, and listens on none of them", async () => {
	const here = world.join();
	let ran = 0;
	here.work({
		test: () => {
			ran += 1;
		},
	});
	await Promise.all(Array.from({ length: 20 }, () => here.queue.add(jobOf("test"))));
	await expect.poll(() => ran).toBe(20);
	const { rows } = await here.pool.query(
		"select query from pg_stat_activity where datname = current_database() and backend_type = 'client backend'",
	);
	expect(rows.length).toBeLessThanOrEqual(2);
	expect(rows.filter(({ query }) => /listen/i.test(query))).toEqual([]);
});

it("runs a job outside of the request that added it", async () => {
	const here = world.join();
	const request = new AsyncLocalStorage<string>();
	const seen: (string | undefined)[] = [];
	here.work({ test: () => void seen.push(request.getStore()) });
	// until the worker waits for a job, so that adding one wakes it
	await here.queue.add(jobOf("test"));
	await expect.poll(() => seen).toHaveLength(1);
	for (let count = 0; count < 10; count += 1) await request.run("acme", () => here.queue.add(jobOf("test")));
	await expect.poll(() => seen).toHaveLength(11);
	expect(seen.filter((store) => store !== undefined)).toEqual([]);
});

it("works through PgBouncer in transaction mode", async () => {
	const { port, pathname } = new URL(world.url);
	const bouncer = await startPgBouncer(Number(port || 5432), pathname.slice(1));
	try {
		const here = world.join(bouncer.url);
		let ran = 0;
		const worker = here.work({
			test: () => {
				ran += 1;
			},
		});
		await Promise.all(Array.from({ length: 20 }, () => here.queue.add(jobOf("test"))));
		await expect.poll(() => ran).toBe(20);
		await expect.poll(() => jobsIn(here.pool)).toEqual([]);
		await worker.stop();
	} finally {
		await world.close();
		await bouncer.close();
		world = await createQueueWorld();
	}
});

it("retries a failed job, after five minutes at most", async () => {
	const here = world.join();
	let attempts = 0;
	here.work({
		test: () => {
			attempts += 1;
			if (attempts < 3) throw new Error("not yet");
		},
	});
	await here.queue.add(jobOf("test"));
	await expect.poll(async () => (await jobsIn(here.pool))[0]).toMatchObject({ attempts: 1, locked_by: null });
	// as after an hour of failures, when graphile-worker would pause for six hours
	await here.pool.query("update tenants_jobs._private_jobs set attempts = 11, run_at = now()");
	await expect.poll(async () => (await jobsIn(here.pool))[0]).toMatchObject({ attempts: 12, locked_by: null });
	await upkeep(here.pool);
	const { rows } = await here.pool.query(
		"select extract(epoch from run_at - now())::float8 as pause from tenants_jobs.jobs",
	);
	expect(rows[0].pause).toBeLessThanOrEqual(LONGEST_PAUSE);
	await passTimeInQueue(here.pool, LONGEST_PAUSE);
	await expect.poll(() => jobsIn(here.pool)).toEqual([]);
	expect(attempts).toBe(3);
});

it("runs the job of a killed process again, and leaves those of living processes alone", async () => {
	const here = world.join();
	const dying = startProcess<DyingWorker>(new URL("./dying-worker.ts", import.meta.url));
	await here.queue.add(jobOf("test", { of: "killed" }));
	await dying.call("takeJobs", world.url);
	await expect.poll(async () => (await jobsIn(here.pool))[0]?.locked_by).toMatch(/^pool-/);
	await upkeep(here.pool);
	expect((await jobsIn(here.pool))[0]?.locked_by).toMatch(/^pool-/);
	await dying.kill();

	await passTimeInQueue(here.pool, DEAD_AFTER + 1);
	const ran: unknown[] = [];
	// starting also runs the upkeep
	here.work({ test: (payload) => void ran.push(payload) });
	await expect.poll(() => ran).toEqual([{ of: "killed" }]);
	await expect.poll(() => jobsIn(here.pool)).toEqual([]);
});

it("completes what the last requests added before it stops", async () => {
	const here = world.join();
	let ran = 0;
	const worker = here.work({
		test: async () => {
			await new Promise((resolve) => setTimeout(resolve, 50));
			ran += 1;
		},
	});
	await Promise.all(Array.from({ length: 12 }, () => here.queue.add(jobOf("test"))));
	await worker.stop();
	expect(ran).toBe(12);
	expect(await jobsIn(here.pool)).toEqual([]);
});

it("returns a job that does not end to the queue when it stops", async () => {
	const here = world.join();
	const worker = here.work({ test: () => new Promise<void>(() => {}) });
	await here.queue.add(jobOf("test"));
	await expect.poll(async () => (await jobsIn(here.pool))[0]?.locked_by).toMatch(/^pool-/);
	await worker.stop();
	expect(await jobsIn(here.pool)).toEqual([expect.objectContaining({ attempts: 1, locked_by: null })]);
	expect(here.lines.join("")).toContain("jobs were interrupted");
});
