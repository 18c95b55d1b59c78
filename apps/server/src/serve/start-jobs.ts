import type { JobHelpers } from "graphile-worker";
import type { Auth } from "../auth/create-auth.ts";
import type { Config } from "../config/config.ts";
import { startWorker, type Worker } from "../jobs/worker.ts";
import { createDelivery, type MailCounts } from "../mail/deliver.ts";
import { MAIL_TASK } from "../mail/outbox.ts";
import type { Metrics } from "../measure/metrics.ts";
import type { Logger } from "../observe/logger.ts";
import { createSweepTask, SWEEP_TASK, sweepSchedule } from "../sweep/sweep-task.ts";
import type { openParts } from "./open-parts.ts";

type JobsWith = {
	config: Config;
	auth: Pick<Auth, "tenantById">;
	jobs: Awaited<ReturnType<typeof openParts>>["jobs"];
	counts: { mails: MailCounts };
	metrics: Pick<Metrics, "swept"> | null;
	logger: Logger;
};

/** Starts the background jobs of this process. Null if other processes run them (JOBS=off). */
export const startJobs = ({ config, auth, jobs, counts, metrics, logger }: JobsWith): Worker | null => {
	const { pool, queue, smtp } = jobs;
	const { run, sweepSchedule: schedule } = config.jobs;
	if (!run) return null;
	const { tenantById } = auth;
	const deliver = smtp && createDelivery({ config, mailer: smtp, tenantById, counts: counts.mails, logger });
	return startWorker({
		pool,
		queue,
		tasks: {
			// without a mail server, mails are left to processes that have one
			...(deliver ? { [MAIL_TASK]: (payload: unknown, { job }: JobHelpers) => deliver(payload, job.attempts) } : {}),
			[SWEEP_TASK]: createSweepTask({ pool, logger, onSwept: (what, rows) => metrics?.swept(what, rows) }),
		},
		schedule: schedule === null ? [] : [sweepSchedule(schedule)],
		logger,
	});
};
