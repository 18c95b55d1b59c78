/** Fields that are never logged, at any depth. Compared without case, "-" and "_". */
const SECRET_FIELDS =
	/^(authorization|proxyauthorization|cookies?|setcookie|password|newpassword|currentpassword|passwd|hash|passwordhash|secrets?|clientsecret|.*token|tokens|jwt|code|otp|totp|backupcodes?|state|nonce|codeverifier|key|apikey|keys|managementkeys?|authsecrets?|databaseurl|redisurl|smtpurl|url|link|body|parameters|query|search)$/;

/** Error codes ("ECONNREFUSED", "23505") are useful in logs, and one-time codes never look like them. */
const ERROR_CODE = /^(E[A-Z_]+|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|[0-9A-Z]{5})$/;

/** Secrets inside of text: in URLs, headers and cookies within a message. */
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

/** Text that may contain a JSON Web Token. Matched as a whole, so each character is visited once. */
const DOTTED = /[A-Za-z0-9_.-]+/g;

const REDACTED = "[redacted]";
const MAX_DEPTH = 6;
const MAX_TEXT = 4096;

/** Returns a copy of a value without secrets. Errors are reduced to the useful fields. */
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

/** Removes secrets from a text and limits its length. */
export const redactedText = (text: string): string => {
	const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
	const rest = SECRET_TEXTS.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), short);
	return rest.replace(DOTTED, redactedJwt);
};

/** A JSON Web Token starts with {" in base64url and contains two dots. */
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

/** Drivers attach rows, statements and parameters to errors. Only the fields listed here are kept. */
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
