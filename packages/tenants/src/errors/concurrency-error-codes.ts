import { withCodes } from "./error-codes.ts";

/**
 * Error codes of `limitConcurrency`. Separate from the other codes, which browsers load.
 *
 * @example
 * ```ts
 * if (error.code === CONCURRENCY_ERROR_CODES.TENANT_BUSY.code) retryLater();
 * ```
 */
export const CONCURRENCY_ERROR_CODES = withCodes({
	TENANT_BUSY: "This tenant has too many concurrent requests. Try again in a moment",
	SERVER_BUSY: "The server has too many concurrent requests. Try again in a moment",
});
