import { Logger as WorkerLogger } from "graphile-worker";
import type { Logger } from "../observe/logger.ts";

/**
 * graphile-worker's messages in our log. Its fields are dropped, because they contain whole jobs. Tasks log their own
 * failures, so the message about a failed task, which repeats its error, is only for debugging.
 */
export const workerLogger = (logger: Logger): WorkerLogger =>
	new WorkerLogger((scope) => (level, message, fields) => {
		const said = { task: scope.taskIdentifier, job: scope.jobId };
		if (level === "error" && fields?.failure !== true) logger.error(said, `jobs: ${message}`);
		else if (level === "warning") logger.warn(said, `jobs: ${message}`);
		else logger.debug(said, `jobs: ${message}`);
	});
