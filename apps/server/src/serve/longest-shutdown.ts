import type { HttpConfig } from "../config/http.ts";
import { LOG_LIMIT } from "../observe/log-output.ts";
import { CLOSE_LIMIT } from "./closers.ts";

/** Milliseconds for jobs, such as the mails of the last requests. The worker itself gives up earlier. */
export const JOBS_LIMIT = 15_000;
/** Milliseconds for work that continues after a response. */
export const AFTER_THE_LAST_ANSWER = 100;
/** Milliseconds until the process exits, even if something keeps it alive. */
export const EXIT_LIMIT = 1_000;

/** Seconds between SIGTERM and the end of the process, at most. A supervisor must wait longer before it kills the process. */
export const longestShutdown = ({
	shutdownDelay,
	shutdownTimeout,
}: Pick<HttpConfig, "shutdownDelay" | "shutdownTimeout">): number =>
	shutdownDelay +
	shutdownTimeout +
	Math.ceil((AFTER_THE_LAST_ANSWER + JOBS_LIMIT + CLOSE_LIMIT + LOG_LIMIT + EXIT_LIMIT) / 1_000);
