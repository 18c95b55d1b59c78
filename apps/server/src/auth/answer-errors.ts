import { APIError, isAPIError } from "better-auth/api";
import { CONCURRENCY_ERROR_CODES } from "better-auth-tenants";
import type { Logger } from "../observe/logger.ts";
import { describeError } from "./engine-logger.ts";

/**
 * What the engine's router is to do with an error. Left to itself it prints what it does not know to the console, with
 * whatever values the database hung on it; here it goes to the log, and the caller is told nothing of it.
 */
export const answerErrors =
	(logger: Logger) =>
	(error: unknown): void => {
		// also of the class below the engine's, which refuses bodies that cannot be read
		const isAnswer = isAPIError(error);
		if (isAnswer && (error.statusCode < 500 || isBusy(error))) return;
		logger.error({ err: describeError(error) }, "a request failed");
		// an error of the engine's own kind is an answer to it
		if (!isAnswer) throw new APIError("INTERNAL_SERVER_ERROR", { code: "INTERNAL_SERVER_ERROR" });
	};

/** Turning a crowd away is no failure, and a line in the log for each would be one more thing that the crowd costs. */
const isBusy = ({ body }: APIError): boolean => Object.hasOwn(CONCURRENCY_ERROR_CODES, String(body?.code));
