import { randomBytes } from "node:crypto";
import type { TaskList } from "graphile-worker";
import type pg from "pg";
import { readConfig } from "../../src/config/config.ts";
import { createPool } from "../../src/database/pool.ts";
import { createQueue, type Queue } from "../../src/jobs/queue.ts";
import { startWorker, type Worker } from "../../src/jobs/worker.ts";
import { keepLines } from "../auth/lines.ts";
import { createTestDatabase } from "../support/database.ts";
import { testEnvironment } from "../support/environment.ts";

/** One process with its own connections to a job queue. */
export type Member = { pool: pg.Pool; queue: Queue; work: (tasks: TaskList) => Worker; lines: string[] };

/** A migrated database, and any number of processes that share its job queue. */
export const createQueueWorld = async () => {
	const configOf = (url: string) => readConfig(testEnvironment(url));
	const database = await createTestDatabase(configOf);
	const closers: (() => Promise<unknown>)[] = [];
	return {
		url: database.url,
		join: (url = database.url): Member => {
			const { logger, lines } = keepLines();
			const pool = createPool({ ...configOf(url).database, poolSize: 2 }, logger);
			const queue = createQueue(pool);
			closers.push(() => pool.end());
			return {
				pool,
				queue,
				lines,
				work: (tasks) => {
					const worker = startWorker({ pool, queue, tasks, logger });
					let stopped: Promise<void> | undefined;
					const stop = () => {
						stopped ??= worker.stop();
						return stopped;
					};
					closers.push(stop);
					return { stop };
				},
			};
		},
		close: async (): Promise<void> => {
			for (const close of closers.splice(0).reverse()) await close();
			await database.drop();
		},
	};
};

/** A job with a key of its own. */
export const jobOf = (task: string, payload: object = {}) => ({
	task,
	payload,
	key: randomBytes(6).toString("hex"),
	mostAttempts: 100,
});

/** What the queue contains. */
export const jobsIn = async (pool: pg.Pool) =>
	(
		await pool.query<{ id: string; attempts: number; locked_by: string | null }>(
			"select id, attempts, locked_by from tenants_jobs.jobs order by id",
		)
	).rows;
