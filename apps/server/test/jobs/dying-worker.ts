import { answerCalls } from "test-kit/processes";
import { createPool } from "../../src/database/pool.ts";
import { createQueue } from "../../src/jobs/queue.ts";
import { startWorker } from "../../src/jobs/worker.ts";
import { createLogger } from "../../src/observe/logger.ts";

/** A process that takes jobs and never completes one. */
const takeJobs = async (url: string): Promise<void> => {
	const logger = createLogger({ logLevel: "silent" });
	const pool = createPool({ urls: [url], poolSize: 2, connectTimeout: 5, queryTimeout: 30 }, logger);
	startWorker({ pool, queue: createQueue(pool), tasks: { test: () => new Promise<void>(() => {}) }, logger });
};

export type DyingWorker = { takeJobs: typeof takeJobs };

answerCalls({ takeJobs } satisfies DyingWorker, async () => {});
