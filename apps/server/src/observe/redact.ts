/** Fields whose value is never logged, wherever they stand; compared without case, "-" and "_". */
const SECRET_FIELDS =
	/^(authorization|proxyauthorization|cookies?|setcookie|password|newpassword|currentpassword|passwd|hash|passwordhash|secrets?|clientsecret|.*token|tokens|jwt|code|otp|totp|backupcodes?|state|nonce|codeverifier|key|apikey|keys|managementkeys?|authsecrets?|databaseurl|redisurl|smtpurl|url|link|body|parameters|query|search)$/;

/** Codes of errors ("ECONNREFUSED", "23505") are what one looks for; one-time codes have no such form. */
const ERROR_CODE = /^(E[A-Z_]+|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|[0-9A-Z]{5})$/;

/** Secrets inside of texts: in URLs, headers and cookies that somebody put into a message. */
const SECRET_TEXTS: [RegExp, string][] = [
	[
		/([?&;\s"'](?:token|code|state|otp|secret|password|id_token|access_token|refresh_token)=)[^&\s"'<>;]+/gi,
		"$1[redacted]",
	],
	[/(\/(?:reset-password|verify-email|magic-link|delete-user)\/)[^/?#\s"'<>]+/gi, "$1[redacted]"],
	[/\b((?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]+/gi, "$1[redacted]"],
	[/(session_token=|session_data=)[^;\s"']+/gi, "$1[redacted]"],
	// a password in a connection string
	[/(:\/\/[^:/?#\s@"']*:)[^@/\s"']+@/g, "$1[redacted]@"],
];

/** What a JSON web token may stand in: the whole of it is taken at once, so that no character is looked at twice. */
const DOTTED = /[A-Za-z0-9_.-]+/g;

const REDACTED = "[redacted]";
const MAX_DEPTH = 6;
const MAX_TEXT = 4096;

/** A copy of a value with everything secret taken out; errors become what is worth knowing of them. */
export const redacted = (value: unknown, depth = 0): unknown => {
	if (typeof value === "string") return redactedText(value);
	if (typeof value === "bigint") return String(value);
	if (typeof value !== "object" || value === null) return typeof value === "function" ? undefined : value;
	if (depth > MAX_DEPTH) return "[too deep]";
	if (value instanceof Date) return value;
	if (value instanceof Error) return redactedError(value, depth);
	if (Array.isArray(value)) return value.slice(0, 100).map((item) => redacted(item, depth + 1));
	if (value instanceof Headers || value instanceof Map || ArrayBuffer.isView(value)) return REDACTED;
	const copy: Record<string, unknown> = {};
	for (const [name, field] of Object.entries(value))
		copy[name] = isSecret(name, field) ? REDACTED : redacted(field, depth + 1);
	return copy;
};

/** A text without the secrets that stand in it, and not longer than a line of a log should be. */
export const redactedText = (text: string): string => {
	const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
	const rest = SECRET_TEXTS.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), short);
	return rest.replace(DOTTED, redactedJwt);
};

/** A JSON web token begins with {" in base64url, and two dots follow. */
const redactedJwt = (text: string): string => {
	const secondLastDot = text.lastIndexOf(".", text.lastIndexOf(".") - 1);
	for (let at = text.indexOf("eyJ"); at >= 0 && at < secondLastDot; at = text.indexOf("eyJ", at + 1))
		if (at === 0 || /[.-]/.test(text.charAt(at - 1))) return text.slice(0, at) + REDACTED;
	return text;
};

const isSecret = (name: string, value: unknown): boolean => {
	if (value === null || value === undefined || typeof value === "boolean" || typeof value === "number") return false;
	const plain = name.toLowerCase().replace(/[-_\s]/g, "");
	if (plain === "code" && typeof value === "string" && ERROR_CODE.test(value)) return false;
	return SECRET_FIELDS.test(plain);
};

/** Drivers hang rows, statements and their parameters on errors: only what is named here is kept. */
const redactedError = (error: Error, depth: number): Record<string, unknown> => ({
	type: error.name,
	message: redactedText(error.message),
	stack: error.stack === undefined ? undefined : redactedText(error.stack),
	...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
	...(error.cause === undefined ? {} : { cause: redacted(error.cause, depth + 1) }),
	...(error instanceof AggregateError
		? { errors: error.errors.slice(0, 5).map((one) => redacted(one, depth + 1)) }
		: {}),
});
