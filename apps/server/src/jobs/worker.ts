import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type CronItem, parseCronItems, type Runner, run, type TaskList, type WorkerPool } from "graphile-worker";
import type { Pool } from "pg";
import { withinTime } from "../lib/time-limit.ts";
import type { Logger } from "../observe/logger.ts";
import type { Queue } from "./queue.ts";
import { JOBS_SCHEMA } from "./schema.ts";
import { upkeep } from "./upkeep.ts";
import { waitingPool } from "./waiting-pool.ts";
import { workerLogger } from "./worker-logger.ts";

/** Jobs that one process runs at the same time. */
const CONCURRENCY = 5;
/** Milliseconds until a process finds a job that another one added. */
const POLL_INTERVAL = 2_000;
/** Milliseconds between two rounds of upkeep. */
const UPKEEP_INTERVAL = 30_000;
/** Milliseconds until the workers start again after they ended by themselves. */
const PAUSE = 1_000;
/** Milliseconds for jobs that no process has tried yet, before the process ends. */
const DRAIN_LIMIT = 4_000;
/** Milliseconds for jobs that run. Then they are returned to the queue. */
const STOP_LIMIT = 6_000;

export type Worker = { stop(): Promise<void> };

type WorkerWith = { pool: Pool; queue: Queue; tasks: TaskList; schedule?: CronItem[]; logger: Logger };

/** Runs jobs until it is stopped. Needs the schema that `migrate` creates. */
export const startWorker = ({ pool, queue, tasks, schedule = [], logger }: WorkerWith): Worker => {
	const stopping = new AbortController();
	const { signal } = stopping;
	// a job must not run in the tenant or transaction of the request that woke the worker
	const outsideOfRequests = AsyncLocalStorage.snapshot();
	const events = new EventEmitter();
	let workers: WorkerPool | null = null;
	let isEnding = false;
	events.on("pool:create", ({ workerPool }: { workerPool: WorkerPool }) => {
		workers = workerPool;
		isEnding = false;
	});
	events.on("pool:gracefulShutdown", () => {
		isEnding = true;
	});
	queue.onAdd(() => outsideOfRequests(() => isEnding || workers?.nudge(1)));

	const settings = {
		schema: JOBS_SCHEMA,
		pgPool: waitingPool(pool, signal),
		concurrency: CONCURRENCY,
		pollInterval: POLL_INTERVAL,
		noPreparedStatements: true,
		// `serve` decides when to stop
		noHandleSignals: true,
		logger: workerLogger(logger),
		taskList: tasks,
		parsedCronItems: parseCronItems(schedule),
		// without a batch, graphile-worker does not handle a failure to store a result
		preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
	};
	let runner: Runner | null = null;
	const keepRunning = async (): Promise<void> => {
		while (!signal.aborted) {
			try {
				runner = await run({ ...settings, events });
				// it may have been stopped before it was there
				await (signal.aborted ? runner.stop() : runner.promise);
			} catch (error) {
				logger.error({ err: error }, "the job workers ended. They start again");
			}
			runner = null;
			await sleep(PAUSE, undefined, { signal }).catch(() => {});
		}
	};
	const keepUp = async (): Promise<void> => {
		while (!signal.aborted) {
			await upkeep(pool).catch((error: unknown) => logger.warn({ err: error }, "upkeep of the job queue failed"));
			await sleep(UPKEEP_INTERVAL, undefined, { signal }).catch(() => {});
		}
	};
	const running = Promise.all([keepRunning(), keepUp()]);

	return {
		stop: async () => {
			await drain(queue);
			stopping.abort();
			try {
				await withinTime(STOP_LIMIT, Promise.resolve(runner?.stop()));
			} catch (error) {
				logger.warn({ err: error }, "jobs were interrupted. They run again later");
				// not the runner's kill(), which does nothing after stop()
				await workers?.forcefulShutdown("The process ends");
			}
			await running;
		},
	};
};

/** Lets the workers run what the last requests added: in a single process, nobody else would until it starts again. */
const drain = async (queue: Queue): Promise<void> => {
	const deadline = performance.now() + DRAIN_LIMIT;
	while (performance.now() < deadline && (await queue.isBusy().catch(() => false))) await sleep(50);
};
