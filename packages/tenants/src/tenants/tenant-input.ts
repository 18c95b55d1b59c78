import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";

/** Slugs that are likely to conflict with host names or routes. */
const RESERVED_SLUGS = [
	"admin",
	"api",
	"app",
	"assets",
	"auth",
	"billing",
	"blog",
	"cdn",
	"console",
	"dashboard",
	"docs",
	"help",
	"login",
	"mail",
	"oauth",
	"platform",
	"root",
	"signin",
	"signup",
	"sso",
	"static",
	"status",
	"support",
	"system",
	"tenant",
	"tenants",
	"www",
];

/** A lower-case DNS label. */
export const SLUG = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** Accepts only lower-case DNS labels, so two different slugs never look the same. */
export const createSlugCheck = (reserved: string[]) => {
	const refused = new Set([...RESERVED_SLUGS, ...reserved.map((slug) => slug.toLowerCase())]);
	return (slug: string): string => {
		// "??--" marks internationalized names (RFC 5891, section 4.2.3.1), which can look like another label
		const isLabel = SLUG.test(slug) && !/^..--/.test(slug);
		if (!isLabel || refused.has(slug)) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_SLUG);
		return slug;
	};
};

export const checkName = (name: string): string => {
	const trimmed = name.trim();
	// biome-ignore lint/suspicious/noControlCharactersInRegex: rejects control characters
	if (trimmed.length < 1 || trimmed.length > 200 || /[\u0000-\u001f\u007f]/.test(trimmed)) {
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_NAME);
	}
	return trimmed;
};

const MAX_BYTES = 16_384;
const MAX_DEPTH = 5;
const MAX_KEYS = 64;

/** Returns metadata as JSON text. Its size is limited, because it is read with every tenant. */
export const checkMetadata = (metadata: Record<string, unknown>): string => {
	if (!isBounded(metadata)) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_METADATA);
	const text = JSON.stringify(metadata);
	if (new TextEncoder().encode(text).length > MAX_BYTES) {
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_METADATA);
	}
	return text;
};

/** Uses a stack instead of recursion and stops early, because deeply nested input would overflow the call stack. */
const isBounded = (metadata: Record<string, unknown>): boolean => {
	const open: { value: unknown; depth: number }[] = [{ value: metadata, depth: 1 }];
	let keys = 0;
	for (let next = open.pop(); next; next = open.pop()) {
		if (typeof next.value !== "object" || next.value === null) continue;
		if (next.depth > MAX_DEPTH) return false;
		for (const [key, value] of Object.entries(next.value)) {
			if (key === "__proto__" || key === "constructor" || key === "prototype") return false;
			if (!Array.isArray(next.value)) keys += 1;
			if (keys > MAX_KEYS) return false;
			open.push({ value, depth: next.depth + 1 });
		}
	}
	return true;
};
