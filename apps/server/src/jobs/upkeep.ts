import type { Pool } from "pg";
import { JOBS_SCHEMA } from "./schema.ts";

/** Seconds after which the process that runs a job counts as dead. Every task has a limit of its own, below half of it. */
export const DEAD_AFTER = 120;
/** Seconds between two attempts at a job, at most. graphile-worker alone would pause for up to six hours. */
export const LONGEST_PAUSE = 300;

/**
 * Returns the jobs of dead processes to the queue, and shortens long pauses. graphile-worker itself waits four hours
 * before it assumes that a process is dead, and a link in a mail would expire meanwhile.
 */
export const upkeep = async (pool: Pool): Promise<void> => {
	await pool.query(
		`select "${JOBS_SCHEMA}".force_unlock_workers(array(
			select distinct locked_by from "${JOBS_SCHEMA}".jobs where locked_at < now() - make_interval(secs => $1)
		))`,
		[DEAD_AFTER],
	);
	await pool.query(
		`select from "${JOBS_SCHEMA}".reschedule_jobs(
			array(
				select id from "${JOBS_SCHEMA}".jobs
				where locked_at is null and attempts > 0 and run_at > now() + make_interval(secs => $1)
			),
			run_at => now() + make_interval(secs => $1)
		)`,
		[LONGEST_PAUSE],
	);
};
