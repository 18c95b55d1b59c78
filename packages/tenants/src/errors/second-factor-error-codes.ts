import { withCodes } from "./error-codes.ts";

/** Error codes of second factors that a tenant's policy requires. */
export const SECOND_FACTOR_ERROR_CODES = withCodes({
	SECOND_FACTOR_REQUIRED: "This tenant requires a second factor. Verify it, or set one up",
	SECOND_FACTOR_NOT_PENDING: "There is no second factor to verify. Sign in first, or set one up",
});
