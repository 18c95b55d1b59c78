import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { SLUG } from "../../resolve/slug.ts";

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

/** Accepts only lower-case DNS labels, so two different slugs never look the same. The error says which rule is broken. */
export const createSlugCheck = (reserved: string[]) => {
	const refused = new Set([...RESERVED_SLUGS, ...reserved.map((slug) => slug.toLowerCase())]);
	return (slug: string): string => {
		const problem = problemOf(slug) ?? (refused.has(slug) ? "This slug is reserved. Choose another one" : null);
		if (problem) throw APIError.from("BAD_REQUEST", { ...TENANT_AUTH_ERROR_CODES.INVALID_SLUG, message: problem });
		return slug;
	};
};

const problemOf = (slug: string): string | null => {
	if (slug.length < 2 || slug.length > 63) return "A slug must have 2 to 63 characters";
	if (/[^a-z0-9-]/.test(slug)) return "A slug may contain only a-z, 0-9 and '-', in lower case";
	if (!SLUG.test(slug)) return "A slug must start and end with a letter or a digit";
	// marks internationalized names (RFC 5891, section 4.2.3.1), which can look like another label
	if (/^..--/.test(slug)) return "A slug may not have '--' as its third and fourth characters";
	return null;
};

export const checkName = (name: string): string => {
	const trimmed = name.trim();
	// biome-ignore lint/suspicious/noControlCharactersInRegex: rejects control characters
	if (trimmed.length < 1 || trimmed.length > 200 || /[\u0000-\u001f\u007f]/.test(trimmed)) {
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_TENANT_NAME);
	}
	return trimmed;
};

const MAX_BYTES = 16_384;
const MAX_LEVELS = 32;
/** A value has at least two bytes in JSON, with its comma or bracket. */
const MAX_VALUES = MAX_BYTES / 2;

/**
 * Metadata as it is sent. Not a record of zod, which would drop the key `__proto__` without an error. `checkMetadata`
 * checks the rest.
 */
export const metadataInput = z.custom<Record<string, unknown> | null>(
	(value) => value === null || (typeof value === "object" && !Array.isArray(value)),
	"Metadata must be a JSON object, or null",
);

/** Returns metadata as JSON text, or null. Its size is limited, because it is read with every tenant. */
export const checkMetadata = (metadata: Record<string, unknown> | null | undefined): string | null => {
	if (metadata === null || metadata === undefined) return null;
	const problem = findProblem(metadata);
	if (problem) throw invalidMetadata(problem);
	const text = JSON.stringify(metadata);
	if (new TextEncoder().encode(text).length > MAX_BYTES) throw invalidMetadata(TOO_LARGE);
	return text;
};

const TOO_LARGE = "Metadata must have at most 16 kB as JSON";

const invalidMetadata = (message: string): APIError =>
	APIError.from("BAD_REQUEST", { ...TENANT_AUTH_ERROR_CODES.INVALID_METADATA, message });

/**
 * Uses a stack instead of recursion and stops early, because deeply nested input would overflow the call stack.
 *
 * `__proto__` is the only key that is refused: assigning it changes the prototype of the object that receives it.
 * `constructor` and `prototype` are stored like any other key. Code that merges metadata into its own objects must check
 * for them.
 */
const findProblem = (metadata: Record<string, unknown>): string | null => {
	const open: { value: unknown; level: number }[] = [{ value: metadata, level: 1 }];
	let values = 0;
	for (let next = open.pop(); next; next = open.pop()) {
		if (typeof next.value !== "object" || next.value === null) continue;
		if (next.level > MAX_LEVELS) return `Metadata must have at most ${MAX_LEVELS} levels`;
		for (const [key, value] of Object.entries(next.value)) {
			if (key === "__proto__") return 'Metadata may not have the key "__proto__", at any level. Rename it';
			values += 1;
			if (values > MAX_VALUES) return TOO_LARGE;
			open.push({ value, level: next.level + 1 });
		}
	}
	return null;
};

/**
 * The body of an endpoint that accepts these fields only. Keeps the others for `refuseOtherFields`: a strict schema would
 * reject them before the guard, and tell callers who may not manage what the endpoint accepts.
 */
export const bodyOf = <Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> =>
	z.looseObject(shape).meta({ additionalProperties: false }) as z.ZodObject<Shape>;

/** Rejects fields that would be ignored, such as a misspelled one. */
export const refuseOtherFields = (sent: object, { shape }: { shape: object }): void => {
	const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(shape, name));
	if (unknown.length === 0) return;
	// the caller chose the names, so only a few of them are repeated
	const named = unknown.slice(0, 3).map((name) => JSON.stringify(name.slice(0, 40)));
	const message = `Unknown field ${named.join(", ")}. Use only ${Object.keys(shape).join(", ")}`;
	throw APIError.from("BAD_REQUEST", { ...TENANT_AUTH_ERROR_CODES.UNKNOWN_FIELD, message });
};
