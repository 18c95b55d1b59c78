import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { endpointOf } from "../engine/endpoints.ts";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";

/**
 * Refuses bodies that plugins of the engine take for something else: they look into what is no object, and lower the
 * letters of a username that is no text. The engine would answer 500.
 */
export const assertSafeBody = ({ path, body }: GenericEndpointContext): void => {
	if (endpointOf(path).needsObjectBody && !isObject(body))
		throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.BODY_MUST_BE_AN_OBJECT);
	// an admin sends a user's fields as `data`
	for (const fields of [body, isObject(body) ? body.data : null]) {
		if (!isObject(fields)) continue;
		// PostgreSQL takes none: refused at the end, it would tell a free address from a taken one
		if (Object.values(fields).some((value) => typeof value === "string" && value.includes("\0")))
			throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
		if (!isTextOrNothing(fields.username)) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
	}
	if (holdsHalfCharacter(body)) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
};

/**
 * Half a surrogate pair is no text in UTF-8: two that differ would be stored alike, and no URL holds one (the engine
 * would answer 500). Walks with a list of its own: a body nested deep enough would end a function that calls itself.
 */
const holdsHalfCharacter = (body: unknown): boolean => {
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

/** What JSON is made of; server code may also send bytes, dates and objects of its own. */
const isPlain = (value: unknown): value is object =>
	Array.isArray(value) || (isObject(value) && Object.getPrototypeOf(value) === Object.prototype);

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isTextOrNothing = (value: unknown): boolean => typeof value === "string" || value === undefined || value === null;
