import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";
import { INVITATION_ERROR_CODES } from "../invitations/error-codes.ts";

/**
 * Error codes of `tenantAdmin()` and `tenantInvitations()`. The code is the contract. The message may change.
 *
 * @example
 * ```ts
 * if (error.code === TENANT_ADMIN_ERROR_CODES.LAST_OWNER.code) askForAnotherOwner();
 * ```
 */
export const ADMIN_CODES = { ...TENANT_ADMIN_ERROR_CODES, ...INVITATION_ERROR_CODES };
