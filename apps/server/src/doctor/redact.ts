import type { Environment } from "../config/secret-files.ts";
import type { Finding } from "./finding.ts";

/** Shorter values may be ordinary words, and would be cut out of every sentence. */
const SHORTEST = 6;

/**
 * Removes secrets from findings. The checks do not include any; this is a second line of defense in case one ever
 * repeats a foreign message.
 */
export const redactFindings = (findings: readonly Finding[], secrets: readonly string[]): Finding[] =>
	findings.map((finding) => ({
		...finding,
		says: redact(finding.says, secrets),
		...(finding.fix === undefined ? {} : { fix: redact(finding.fix, secrets) }),
	}));

const redact = (text: string, secrets: readonly string[]): string =>
	secrets.reduce((rest, secret) => rest.replaceAll(secret, "[secret]"), text);

const SECRET_NAME = /SECRET|PASSWORD|KEY|_URL$/;
/** Variables that look secret by name but are not. */
const OPEN_NAMES = new Set(["AUTH_URL", "REDIS_KEY_PREFIX", "API_KEY_ENDPOINTS", "PASSKEY_RP_ID", "PASSKEY_RP_NAME"]);

/** All secret values and their parts (lists, versions, passwords in URLs), longest first. */
export const secretsOf = (given: Environment): string[] => {
	const found = new Set<string>();
	for (const [name, value] of Object.entries(given)) {
		if (!value || !SECRET_NAME.test(name) || OPEN_NAMES.has(name) || name.endsWith("_FILE")) continue;
		const url = URL.parse(value);
		const isAddress = name.endsWith("_URL");
		if (!isAddress) for (const part of [value, ...value.split(",")]) add(found, part, part.replace(/^\d+:/, ""));
		if (url?.password) add(found, url.password, decode(url.password));
		// with several hosts it is not a valid URL
		const password = /^[a-z]+:\/\/[^:@/]*:([^@/]+)@/i.exec(value)?.[1];
		if (password) add(found, password, decode(password));
	}
	return [...found].sort((one, other) => other.length - one.length);
};

const add = (found: Set<string>, ...values: string[]): void => {
	for (const value of values) if (value.trim().length >= SHORTEST) found.add(value.trim());
};

const decode = (text: string): string => {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
};
