import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";

/** Where plugins of the engine (phone-number, username) look into the body before anybody has checked that there is one. */
const LOOKED_INTO = new Set(["/update-user", "/sign-up/email"]);

/**
 * Refuses bodies that plugins of the engine take for something else: they look into what is no object, and lower the
 * letters of a username that is no text. The engine would answer 500.
 */
export const assertSafeBody = ({ path, body }: GenericEndpointContext): void => {
	if (path && LOOKED_INTO.has(path) && !isObject(body))
		throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.BODY_MUST_BE_AN_OBJECT);
	// an admin sends a user's fields as `data`
	for (const fields of [body, isObject(body) ? body.data : null]) {
		// PostgreSQL takes none: refused at the end, it would tell a free address from a taken one
		if (isObject(fields) && Object.values(fields).some((value) => typeof value === "string" && value.includes("\0")))
			throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
		if (isObject(fields) && !isTextOrNothing(fields.username))
			throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
	}
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isTextOrNothing = (value: unknown): boolean => typeof value === "string" || value === undefined || value === null;
