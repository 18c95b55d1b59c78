import { withCodes } from "../../errors/error-codes.ts";
import { TENANT_ADMIN_ERROR_CODES } from "../../errors/tenant-admin-error-codes.ts";

/** Error codes of `tenantInvitations()`. */
export const INVITATION_ERROR_CODES = withCodes({
	INVITATION_NOT_FOUND: "Invitation not found. It may have expired or been used. Ask for a new one",
	INVITATION_EXISTS: "This address has an open invitation. Resend or revoke it",
	INVITATION_ROLE_NOT_ALLOWED: "You cannot invite users with this role, or change such an invitation. Ask an owner",
	INVITATION_SIGN_IN_REQUIRED:
		"Sign in as a user with the invited address, then accept again. A new user sends name and password instead",
	INVITATION_EMAIL_MISMATCH: "The invitation is for another address. Sign in as a user with the invited address",
	INVITATION_EMAIL_NOT_VERIFIED: "Your email address is not verified. Verify it, then accept again",
	INVITATION_PASSWORD_REQUIRED:
		"This invitation gives you a higher role. Send your password to accept it. If you do not know it, reset it first",
	INVITATION_NOT_SENT: "The invitation is stored, but it could not be sent. Resend it",
	INVITATION_INVALID_EMAIL: "This is not a valid email address",
	TOO_MANY_INVITATIONS: "The tenant has too many open invitations. Revoke some, or wait until some are accepted",
	TOO_MANY_INVITATION_MAILS: "Too many invitations were sent. Try again tomorrow",
});

/**
 * Error codes of `tenantAdmin()` and `tenantInvitations()`. The code is the contract. The message may change.
 *
 * @example
 * ```ts
 * if (error.code === TENANT_ADMIN_ERROR_CODES.LAST_OWNER.code) askForAnotherOwner();
 * ```
 */
export const ADMIN_CODES = { ...TENANT_ADMIN_ERROR_CODES, ...INVITATION_ERROR_CODES };
