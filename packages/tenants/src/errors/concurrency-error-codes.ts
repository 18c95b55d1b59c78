import { withCodes } from "./error-codes.ts";

/** Error codes of `limitConcurrency`. */
export const CONCURRENCY_ERROR_CODES = withCodes({
	TENANT_BUSY: "This tenant has too many concurrent requests. Try again in a moment",
	SERVER_BUSY: "The server has too many concurrent requests. Try again in a moment",
});
