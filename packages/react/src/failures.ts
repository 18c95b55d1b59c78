import type { Texts } from "./texts.ts";

/** What went wrong, in words, and the name of the field that it belongs to. */
export type Failure = { text: keyof Texts["errors"]; field?: string };

// codes only: Better Auth's own messages are in English and may change
const CODES: Record<string, Failure> = {
	INVALID_EMAIL_OR_PASSWORD: { text: "wrongPassword", field: "password" },
	INVALID_USERNAME_OR_PASSWORD: { text: "wrongPassword", field: "password" },
	INVALID_USERNAME: { text: "wrongPassword", field: "password" },
	USERNAME_TOO_SHORT: { text: "wrongPassword", field: "password" },
	USERNAME_TOO_LONG: { text: "wrongPassword", field: "password" },
	INVALID_EMAIL: { text: "emailInvalid", field: "email" },
	EMAIL_NOT_VERIFIED: { text: "emailNotVerified" },
	PASSWORD_TOO_SHORT: { text: "passwordShort", field: "password" },
	POLICY_PASSWORD_TOO_SHORT: { text: "passwordShort", field: "password" },
	PASSWORD_TOO_LONG: { text: "passwordLong", field: "password" },
	POLICY_PASSWORD_TOO_LONG: { text: "passwordLong", field: "password" },
	POLICY_PASSWORD_TOO_WEAK: { text: "passwordWeak", field: "password" },
	POLICY_PASSWORD_BREACHED: { text: "passwordWeak", field: "password" },
	PASSWORD_COMPROMISED: { text: "passwordWeak", field: "password" },
	USER_ALREADY_EXISTS: { text: "accountExists", field: "email" },
	USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: { text: "accountExists", field: "email" },
	INVALID_CODE: { text: "codeWrong", field: "code" },
	INVALID_OTP: { text: "codeWrong", field: "code" },
	INVALID_BACKUP_CODE: { text: "codeWrong", field: "code" },
	OTP_EXPIRED: { text: "codeExpired", field: "code" },
	OTP_HAS_EXPIRED: { text: "codeExpired", field: "code" },
	TOO_MANY_ATTEMPTS: { text: "tooManyCodes", field: "code" },
	TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { text: "tooManyCodes", field: "code" },
	ACCOUNT_TEMPORARILY_LOCKED: { text: "tooManyCodes", field: "code" },
	INVALID_TWO_FACTOR_COOKIE: { text: "startAgain" },
	INVALID_TOKEN: { text: "linkInvalid" },
	TOKEN_EXPIRED: { text: "linkInvalid" },
	EXPIRED_TOKEN: { text: "linkInvalid" },
	INVITATION_NOT_FOUND: { text: "invitationInvalid" },
	INVITATION_SIGN_IN_REQUIRED: { text: "invitationSignIn" },
	INVITATION_EMAIL_MISMATCH: { text: "invitationOther" },
	INVITATION_EMAIL_NOT_VERIFIED: { text: "emailNotVerified" },
	INVITATION_PASSWORD_REQUIRED: { text: "invitationPassword", field: "password" },
	BANNED_USER: { text: "banned" },
	TENANT_SUSPENDED: { text: "tenantSuspended" },
	SIGN_IN_METHOD_NOT_ALLOWED: { text: "methodNotAllowed" },
	IP_ADDRESS_NOT_ALLOWED: { text: "networkNotAllowed" },
	EMAIL_DOMAIN_NOT_ALLOWED: { text: "emailDomainNotAllowed", field: "email" },
	SIGN_UP_NOT_ALLOWED: { text: "signUpNotAllowed" },
	EMAIL_PASSWORD_SIGN_UP_DISABLED: { text: "signUpNotAllowed" },
	SESSION_TENANT_MISMATCH: { text: "otherTenant" },
	AUTH_CANCELLED: { text: "cancelled" },
	AUTHENTICATION_FAILED: { text: "providerFailed" },
	PASSKEY_NOT_FOUND: { text: "providerFailed" },
	// codes of redirects
	access_denied: { text: "cancelled" },
	user_cancelled_authorize: { text: "cancelled" },
	signup_disabled: { text: "signUpNotAllowed" },
	banned: { text: "banned" },
};

// codes come from addresses, too, and `constructor` is no code
const find = (code: string): Failure | undefined => (Object.hasOwn(CODES, code) ? CODES[code] : undefined);

/** The words for an error of the server. Status 0 is a request without a response. */
export const failureOf = ({ status, code }: { status: number; code?: string | undefined }): Failure => {
	const known = code === undefined ? undefined : find(code);
	if (known) return known;
	if (status === 0) return { text: "offline" };
	if (status === 429) return { text: "tooManyRequests" };
	return { text: status === 503 ? "unavailable" : "failed" };
};

/** The words for an error code in the address. Anyone can write one, so it is never shown itself. */
export const failureOfRedirect = (code: string): Failure => ({ text: find(code)?.text ?? "providerFailed" });
