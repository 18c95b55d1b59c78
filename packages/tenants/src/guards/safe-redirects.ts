import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { endpointOf } from "../engine/endpoints.ts";

const SITE = "http://site.invalid";
/** Where SAML leads to in the end. It may also be a name that only the other side knows. */
const RELAY_STATE = "RelayState";
const REDIRECTS = ["callbackURL", "errorCallbackURL", "newUserCallbackURL", "redirectTo"];

/** Most of them. Nothing in it is decoded, resolved or taken for a host. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

/**
 * Refuses what the engine could not redirect to in the end, before anybody is signed in for it; and a path that stops
 * being one when its dots are resolved. The engine takes `/x` for a path of the application's
 * and later appends to it what went wrong; in between, such a path can turn into the address of another host.
 */
export const assertSafeRedirects = (ctx: GenericEndpointContext): void => {
	for (const input of [ctx.body, ctx.query] as unknown[]) {
		if (typeof input !== "object" || input === null) continue;
		if (Object.hasOwn(input, RELAY_STATE)) assertSafeRedirect((input as Record<string, unknown>)[RELAY_STATE]);
		for (const name of REDIRECTS) {
			const target = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
			if (typeof target !== "string" || target === "" || PLAIN_PATH.test(target)) continue;
			const isUsable = isReadable(target) && (fitsHeader(target) || isEncodedLater(ctx, name));
			if (!isUsable || (target.startsWith("/") && leavesSite(target))) {
				throw APIError.from("FORBIDDEN", BASE_ERROR_CODES.INVALID_CALLBACK_URL);
			}
		}
	}
};

/** Refuses a path that leads to another host. */
export const assertSafeRedirect = (target: unknown): void => {
	if (typeof target === "string" && target.startsWith("/") && leavesSite(target))
		throw APIError.from("FORBIDDEN", BASE_ERROR_CODES.INVALID_CALLBACK_URL);
};

/** The engine parses it later, and decodes it in a magic link; both throw. */
const isReadable = (target: string): boolean => {
	try {
		decodeURIComponent(target);
		return URL.canParse(target, SITE);
	} catch {
		return false;
	}
};

/** A header takes bytes: anything above throws where the engine redirects there, after it has signed the person in. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all that one byte can hold
const fitsHeader = (target: string): boolean => /^[\u0000-\u00ff]*$/.test(target);

/** Where a reset ends is parsed, and thereby encoded, before it is redirected to. */
const isEncodedLater = ({ path }: GenericEndpointContext, name: string): boolean =>
	name === "redirectTo" || endpointOf(path).redirectsWithToken;

const leavesSite = (path: string): boolean => {
	const resolved = URL.parse(path, SITE);
	return resolved?.origin !== SITE || resolved.pathname.startsWith("//");
};
