import type { ErrorKey } from "./catalog/en.ts";

export type Field = "email" | "password" | "name" | "code";
/** What went wrong, and at which field. `isUnknown` asks for a reference that support can find in the log. */
export type Failure = { key: ErrorKey; field?: Field; isUnknown?: true };

const CODES: Record<string, Failure> = {
	INVALID_EMAIL_OR_PASSWORD: { key: "wrongPassword", field: "password" },
	INVALID_USERNAME_OR_PASSWORD: { key: "wrongPassword", field: "password" },
	INVALID_USERNAME: { key: "wrongPassword", field: "password" },
	USERNAME_TOO_SHORT: { key: "wrongPassword", field: "password" },
	USERNAME_TOO_LONG: { key: "wrongPassword", field: "password" },
	INVALID_EMAIL: { key: "emailInvalid", field: "email" },
	INVALID_PASSWORD: { key: "passwordWrong", field: "password" },
	PASSWORD_TOO_SHORT: { key: "passwordShort", field: "password" },
	PASSWORD_TOO_LONG: { key: "passwordLong", field: "password" },
	USER_ALREADY_EXISTS: { key: "accountExists", field: "email" },
	USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: { key: "accountExists", field: "email" },
	INVALID_CODE: { key: "codeWrong", field: "code" },
	INVALID_OTP: { key: "codeWrong", field: "code" },
	INVALID_BACKUP_CODE: { key: "codeWrong", field: "code" },
	OTP_EXPIRED: { key: "codeExpired", field: "code" },
	OTP_HAS_EXPIRED: { key: "codeExpired", field: "code" },
	TOO_MANY_ATTEMPTS: { key: "tooManyCodes", field: "code" },
	TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: { key: "tooManyCodes", field: "code" },
	TOO_MANY_CODES: { key: "tooManyCodes", field: "code" },
	ACCOUNT_TEMPORARILY_LOCKED: { key: "tooManyCodes", field: "code" },
	INVALID_TWO_FACTOR_COOKIE: { key: "startAgain" },
	INVALID_TOKEN: { key: "linkInvalid" },
	TOKEN_EXPIRED: { key: "linkInvalid" },
	EXPIRED_TOKEN: { key: "linkInvalid" },
	BANNED_USER: { key: "banned" },
	INVITATION_SIGN_IN_REQUIRED: { key: "signInToAccept" },
	INVITATION_EMAIL_NOT_VERIFIED: { key: "notVerified" },
	INVITATION_PASSWORD_REQUIRED: { key: "passwordToAccept", field: "password" },
	// the tenant's policy
	POLICY_PASSWORD_TOO_SHORT: { key: "passwordPolicyShort", field: "password" },
	POLICY_PASSWORD_TOO_LONG: { key: "passwordPolicyLong", field: "password" },
	POLICY_PASSWORD_TOO_WEAK: { key: "passwordWeak", field: "password" },
	POLICY_PASSWORD_BREACHED: { key: "passwordBreached", field: "password" },
	PASSWORD_CHECK_UNAVAILABLE: { key: "unavailable" },
	SIGN_UP_NOT_ALLOWED: { key: "noSignUp" },
	EMAIL_DOMAIN_NOT_ALLOWED: { key: "noSignUp" },
	SIGN_IN_METHOD_NOT_ALLOWED: { key: "otherMethod" },
	IP_ADDRESS_NOT_ALLOWED: { key: "otherNetwork" },
	// codes of redirects
	access_denied: { key: "cancelled" },
	user_cancelled_authorize: { key: "cancelled" },
	account_not_linked: { key: "notLinked" },
	unable_to_link_account: { key: "notLinked" },
	signup_disabled: { key: "noSignUp" },
	banned: { key: "banned" },
	invalid_signature: { key: "startAgain" },
};

/** The text for a response of Better Auth that is an error. Its own messages are in English, and never shown. */
export const failureOf = ({ status, code }: { status: number; code: string | null }): Failure => {
	const known = code !== null && Object.hasOwn(CODES, code) ? CODES[code] : undefined;
	if (known) return known;
	if (status === 429) return { key: "limited" };
	if (status === 503) return { key: "unavailable" };
	return { key: "failed", isUnknown: true };
};

/** The text for an error code in the URL. Anyone can write one, so an unknown code says nothing about itself. */
export const failureOfURL = (code: string | null, otherwise: ErrorKey): Failure | null => {
	if (code === null) return null;
	return (Object.hasOwn(CODES, code) ? CODES[code] : undefined) ?? { key: otherwise };
};
