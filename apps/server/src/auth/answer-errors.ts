import { APIError, isAPIError } from "better-auth/api";
import { CONCURRENCY_ERROR_CODES } from "better-auth-tenants";
import type { Logger } from "../observe/logger.ts";
import { describeError } from "./engine-logger.ts";

/**
 * Logs errors that the engine's router does not know. By default the router prints them to the console with all the
 * values that the database driver attached. The caller only gets the status code.
 */
export const answerErrors =
	(logger: Logger) =>
	(error: unknown): void => {
		// includes the base class, which is thrown for bodies that cannot be parsed
		const isResponse = isAPIError(error);
		if (isResponse && (error.statusCode < 500 || isBusy(error))) return;
		logger.error({ err: describeError(error) }, "request failed");
		// the router turns an APIError into a response
		if (!isResponse) throw new APIError("INTERNAL_SERVER_ERROR", { code: "INTERNAL_SERVER_ERROR" });
	};

/** A rejected request over the concurrency limit is not a failure. Logging each one would add to the load. */
const isBusy = ({ body }: APIError): boolean => Object.hasOwn(CONCURRENCY_ERROR_CODES, String(body?.code));
