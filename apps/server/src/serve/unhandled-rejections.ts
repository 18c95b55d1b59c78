import type { Metrics } from "../measure/metrics.ts";
import type { Logger } from "../observe/logger.ts";

/** Logs and counts unhandled rejections instead of ending the process. Returns a function that stops it. */
export const watchRejections = (logger: Logger, metrics: Metrics): (() => void) => {
	const onRejection = (reason: unknown): void => {
		metrics.unhandledError();
		logger.error({ err: reason }, "unhandled rejection");
	};
	process.on("unhandledRejection", onRejection);
	return () => process.off("unhandledRejection", onRejection);
};
