import { withCodes } from "./error-codes.ts";

/** What `boundConcurrency` turns requests away with. Apart from the other codes, which browsers load. */
export const CONCURRENCY_ERROR_CODES = withCodes({
	TENANT_BUSY: "Too many requests of this tenant are being worked on; try again in a moment",
	SERVER_BUSY: "Too many requests are being worked on; try again in a moment",
});
