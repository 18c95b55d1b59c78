import { APIError, isAPIError } from "better-auth/api";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import { describeError } from "../observe/engine-logger.ts";
import type { Logger } from "../observe/logger.ts";

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
		if (!isResponse && error instanceof Error) becomeResponse(error);
	};

/**
 * Makes the router respond with the error, instead of printing it. The router looks at the name. Better Auth
 * 1.7.22 ignores what `onError` throws, so another error cannot take its place.
 */
const becomeResponse = (error: Error): void => {
	const { name, status, statusCode, body, headers } = new APIError("INTERNAL_SERVER_ERROR", {
		code: "INTERNAL_SERVER_ERROR",
	});
	// an error may have read-only fields of these names
	for (const [field, value] of Object.entries({ name, status, statusCode, body, headers }))
		Object.defineProperty(error, field, { value, configurable: true, writable: true });
};

const BUSY: string[] = [TENANT_AUTH_ERROR_CODES.TENANT_BUSY.code, TENANT_AUTH_ERROR_CODES.SERVER_BUSY.code];

/** A rejected request over the concurrency limit is not a failure. Logging each one would add to the load. */
const isBusy = ({ body }: APIError): boolean => BUSY.includes(String(body?.code));
