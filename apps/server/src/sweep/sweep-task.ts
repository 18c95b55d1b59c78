import type { CronItem, JobHelpers } from "graphile-worker";
import type { Pool } from "pg";
import type { Logger } from "../observe/logger.ts";
import { type Swept, sweep } from "./sweep.ts";

export const SWEEP_TASK = "sweep";

/** Milliseconds. Less than a job may take; the rest is done by another job. */
const TIME = 30_000;

/** Milliseconds. */
const BACKFILL = 3_600_000;

type SweepWith = { pool: Pool; onSwept: (what: Swept, rows: number) => void; logger: Logger };

/** Creates the task that deletes expired rows. */
export const createSweepTask =
	({ pool, onSwept, logger }: SweepWith) =>
	async (_payload: unknown, { addJob, abortSignal }: Pick<JobHelpers, "addJob" | "abortSignal">): Promise<void> => {
		const deadline = performance.now() + TIME;
		const swept: Partial<Record<Swept, number>> = {};
		const isDone = await sweep({
			pool,
			isOver: () => abortSignal.aborted || performance.now() > deadline,
			onSwept: (what, rows) => {
				swept[what] = (swept[what] ?? 0) + rows;
				onSwept(what, rows);
			},
		});
		if (Object.keys(swept).length > 0) logger.info({ swept }, "deleted expired rows");
		if (!isDone) await addJob(SWEEP_TASK, {}, { jobKey: SWEEP_TASK });
	};

/** All processes have the same schedule, and the database lets one of them add the job. */
export const sweepSchedule = (schedule: string): CronItem => ({
	task: SWEEP_TASK,
	match: schedule,
	// a sweep that is late is not added a second time, and one that was missed during a restart is made up for
	options: { jobKey: SWEEP_TASK, maxAttempts: 5, backfillPeriod: BACKFILL },
});
