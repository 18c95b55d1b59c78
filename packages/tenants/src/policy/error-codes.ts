import { withCodes } from "../error-codes.ts";

/**
 * Error codes of `tenantPolicy()`. Separate from the codes that browsers load.
 *
 * @example
 * ```ts
 * if (error?.code === POLICY_ERROR_CODES.POLICY_CHANGED.code) await retry();
 * ```
 */
export const POLICY_ERROR_CODES = withCodes({
	INVALID_POLICY: "The policy contains a value that is not valid",
	POLICY_CHANGED: "The policy changed several times during this call. Try again",
	POLICY_UNREADABLE: "The tenant's stored policy cannot be read. An operator must set it again",
});
