import { withCodes } from "../../errors/error-codes.ts";
import { SECOND_FACTOR_ERROR_CODES } from "../../errors/second-factor-error-codes.ts";

/** Error codes of the rules of a policy, except the second factor. */
export const POLICY_ERROR_CODES = withCodes({
	INVALID_POLICY: "The policy contains a value that is not valid",
	POLICY_CHANGED: "The policy changed several times during this call. Try again",
	POLICY_LOCKS_YOU_OUT: "With this policy you could not sign in again. Send force: true to set it anyway",
	POLICY_LOCKS_EVERYONE_OUT:
		"With this policy nobody could sign in, because the tenant has no SSO provider. Register one, or send force: true",
	SIGN_IN_METHOD_NOT_ALLOWED: "This sign-in method is not allowed here. Use another one",
	IP_ADDRESS_NOT_ALLOWED: "Your IP address is not allowed here. Use another network",
	SIGN_UP_NOT_ALLOWED: "You cannot sign up here. Ask an administrator to invite you",
	EMAIL_DOMAIN_NOT_ALLOWED: "This email domain is not allowed here. Use another email address",
	POLICY_PASSWORD_TOO_SHORT: "The password is too short for this organization. Choose a longer one",
	POLICY_PASSWORD_TOO_LONG: "The password is too long for this organization. Choose a shorter one",
	POLICY_PASSWORD_TOO_WEAK: "The password is too easy to guess. Choose another one",
	POLICY_PASSWORD_BREACHED: "The password is known from a data breach. Choose another one",
	PASSWORD_CHECK_UNAVAILABLE: "The password cannot be checked at the moment. Try again later",
	POLICY_UNREADABLE: "The tenant's stored policy cannot be read. An operator must set it again",
});

/**
 * Error codes of `tenantPolicy()`, with those of a second factor that it requires. The code is the contract. The message may change.
 *
 * @example
 * ```ts
 * if (error?.code === POLICY_ERROR_CODES.IP_ADDRESS_NOT_ALLOWED.code) showBanner("Use the VPN");
 * ```
 */
export const POLICY_CODES = { ...POLICY_ERROR_CODES, ...SECOND_FACTOR_ERROR_CODES };
