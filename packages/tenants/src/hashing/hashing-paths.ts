/** They hash a password once they have looked somebody up. */
export const HASHING: ReadonlySet<string> = new Set([
	"/sign-in/email",
	"/sign-up/email",
	"/sign-in/username",
	"/sign-in/phone-number",
]);
