import { withCodes } from "./error-codes.ts";

/** The error codes of `boundConcurrency`. In a separate file, because browsers do not need them. */
export const CONCURRENCY_ERROR_CODES = withCodes({
	TENANT_BUSY: "This tenant has too many concurrent requests. Try again in a moment",
	SERVER_BUSY: "The server has too many concurrent requests. Try again in a moment",
});
