import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";

/** Logs and counts rejections that nobody handles, instead of ending the process for them. Answers how to stop it. */
export const watchRejections = (logger: Logger, metrics: Metrics): (() => void) => {
	const onRejection = (reason: unknown): void => {
		metrics.unhandledError();
		logger.error({ err: reason }, "unhandled rejection");
	};
	process.on("unhandledRejection", onRejection);
	return () => process.off("unhandledRejection", onRejection);
};
