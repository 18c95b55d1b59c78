import { withCodes } from "./error-codes.ts";

/**
 * Error codes of `tenantLifecycle()`. The code is the contract. The message may change.
 *
 * @example
 * ```ts
 * if (error?.code === LIFECYCLE_ERROR_CODES.TENANT_SUSPENDED.code) showSuspended();
 * ```
 */
export const LIFECYCLE_ERROR_CODES = withCodes({
	TENANT_SUSPENDED: "This tenant is suspended. An operator can restore it",
	TENANT_ARCHIVED: "This tenant is archived. An operator can restore it",
	TENANT_NOT_SUSPENDED: "The tenant is active. Suspend it first, then restore it with endSessions",
	TENANT_STATE_CHANGED: "The state of the tenant changed during this call. Read the tenant, then try again",
});
