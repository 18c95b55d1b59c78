import type { Endpoint } from "../endpoint.ts";

type Properties = Pick<Endpoint, "namesUsers" | "takesCode">;

/** Endpoints with a row that are not listed below. Endpoints without a row may read any name, see `UNKNOWN`. */
export const NAMES_NOBODY: Properties = { namesUsers: [], takesCode: false };

const email: Properties = { namesUsers: ["email"], takesCode: false };
const emailAndCode: Properties = { namesUsers: ["email"], takesCode: true };
const newEmail: Properties = { namesUsers: ["newEmail"], takesCode: false };
const newEmailAndCode: Properties = { namesUsers: ["newEmail"], takesCode: true };
const username: Properties = { namesUsers: ["username"], takesCode: false };
const phone: Properties = { namesUsers: ["phoneNumber"], takesCode: false };
const phoneAndCode: Properties = { namesUsers: ["phoneNumber"], takesCode: true };
/** The code of a second factor. A session or a cookie names the user. */
const code: Properties = { namesUsers: [], takesCode: true };
/** Plugins read their own fields of a new user. */
const signUp: Properties = { namesUsers: ["email", "username", "phoneNumber"], takesCode: false };

/**
 * The users that endpoints read from their body, by path. Attempts are counted for these only: each counted name takes room in
 * the storage that tenants share, and anyone can invent names. A test reads the schemas of all bodies and fails if a field is
 * missing here.
 */
export const NAMED_USERS: Readonly<Record<string, Properties>> = {
	// the engine
	"/sign-up/email": signUp,
	"/sign-in/email": email,
	"/request-password-reset": email,
	"/send-verification-email": email,
	"/change-email": newEmail,
	"/update-user": { namesUsers: ["username", "phoneNumber"], takesCode: false },

	// this package
	"/tenant/sign-up/email": signUp,
	"/tenant/sign-in/email": email,
	"/tenant/invitation/create": email,
	"/tenant/invitation/accept": { namesUsers: ["username", "phoneNumber"], takesCode: false },
	"/tenant/user/create": email,

	// bundled plugins
	"/admin/create-user": email,
	"/email-otp/send-verification-otp": email,
	"/email-otp/check-verification-otp": emailAndCode,
	"/email-otp/verify-email": emailAndCode,
	"/sign-in/email-otp": emailAndCode,
	"/email-otp/request-password-reset": email,
	"/forget-password/email-otp": email,
	"/email-otp/reset-password": emailAndCode,
	"/email-otp/request-email-change": newEmailAndCode,
	"/email-otp/change-email": newEmailAndCode,
	"/sign-in/magic-link": email,
	"/organization/invite-member": email,
	"/sign-in/username": username,
	"/is-username-available": username,
	"/sign-in/phone-number": phone,
	"/phone-number/send-otp": phone,
	"/phone-number/verify": phoneAndCode,
	"/phone-number/request-password-reset": phone,
	"/phone-number/reset-password": phoneAndCode,
	"/siwe/verify": email,
	"/two-factor/verify-totp": code,
	"/two-factor/verify-otp": code,
	"/two-factor/verify-backup-code": code,

	// packaged plugins
	"/sign-in/sso": email,
};
