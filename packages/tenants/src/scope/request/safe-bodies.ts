import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";

/**
 * Rejects bodies that the engine's plugins do not check: a body that is not an object, or a username that is not text.
 * The engine would return 500.
 */
export const assertSafeBody = ({ path, body }: GenericEndpointContext): void => {
	if (endpointOf(path).needsObjectBody && !isObject(body))
		throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.BODY_MUST_BE_AN_OBJECT);
	// admin endpoints take a user's fields in `data`
	for (const fields of [body, isObject(body) ? body.data : null]) {
		if (!isObject(fields)) continue;
		// PostgreSQL rejects NUL; that late, the error would reveal whether an email is taken
		if (Object.values(fields).some((value) => typeof value === "string" && value.includes("\0")))
			throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
		if (!isTextOrNothing(fields.username)) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
	}
	if (hasLoneSurrogate(body)) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
};

/**
 * A lone surrogate is invalid in UTF-8. Two different texts would be stored as the same one, and a URL cannot contain it
 * (the engine would return 500). Uses a stack instead of recursion, because a deeply nested body would overflow it.
 */
const hasLoneSurrogate = (body: unknown): boolean => {
	const left: unknown[] = [body];
	const seen = new Set<unknown>();
	while (left.length > 0) {
		const value = left.pop();
		if (typeof value === "string" && !value.isWellFormed()) return true;
		if (!isPlain(value) || seen.has(value)) continue;
		seen.add(value);
		for (const inner of Object.values(value)) left.push(inner);
	}
	return false;
};

/** JSON arrays and objects. Server code may also send bytes, dates and class instances. */
const isPlain = (value: unknown): value is object =>
	Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isTextOrNothing = (value: unknown): boolean => typeof value === "string" || value === undefined || value === null;
