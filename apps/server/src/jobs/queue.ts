import type { Pool } from "pg";
import { JOBS_SCHEMA } from "./schema.ts";

export type Queue = ReturnType<typeof createQueue>;

type NewJob = {
	task: string;
	payload: object;
	key: string;
	mostAttempts: number;
	/** jobs with a lower number run first; 0 by default */
	priority?: number;
};

/** Jobs that are neither done nor given up, and the age of the oldest in seconds. */
export type Backlog = { pending: number; oldest: number };

/**
 * The job queue in PostgreSQL. `pool` is not the pool of the requests: a sign-up adds a mail while it holds a connection
 * of that pool, and as many sign-ups as connections would wait for each other.
 */
export const createQueue = (pool: Pool) => {
	let wake = (): void => {};
	return {
		/** Resolves when the job is stored. It survives the process. */
		add: async ({ task, payload, key, mostAttempts, priority = 0 }: NewJob): Promise<void> => {
			await pool.query(
				`select from "${JOBS_SCHEMA}".add_job($1::text, $2::json, job_key => $3::text, max_attempts => $4::int, priority => $5::int)`,
				[task, JSON.stringify(payload), key, mostAttempts, priority],
			);
			wake();
		},
		backlog: async (task: string): Promise<Backlog> => {
			const { rows } = await pool.query<Backlog>(
				`select count(*)::int as pending, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
				from "${JOBS_SCHEMA}".jobs where task_identifier = $1`,
				[task],
			);
			return rows[0] ?? { pending: 0, oldest: 0 };
		},
		/** Whether a job could run now and has not been tried yet. */
		isBusy: async (): Promise<boolean> => {
			const { rows } = await pool.query(
				`select from "${JOBS_SCHEMA}".jobs where run_at <= now() and attempts = 0 and locked_at is null limit 1`,
			);
			return rows.length > 0;
		},
		/** Called after each added job. */
		onAdd: (act: () => void): void => {
			wake = act;
		},
	};
};
