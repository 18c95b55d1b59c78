import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";

const SITE = "http://site.invalid";
/** The final redirect of a SAML flow. It can also be an opaque value of the identity provider. */
const RELAY_STATE = "RelayState";
const REDIRECTS = ["callbackURL", "errorCallbackURL", "newUserCallbackURL", "redirectTo"];

/** A fast path for most redirects: nothing in it can be decoded, resolved or read as a host. */
const PLAIN_PATH = /^(?:\/[\w-]+)+$/;

/**
 * Rejects redirects that the engine could not complete, before a user is signed in. Also rejects a path that becomes the
 * address of another host when its dots are resolved. The engine treats `/x` as a path of the application and later
 * appends an error to it.
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

/** Rejects a path that leads to another host. */
export const assertSafeRedirect = (target: unknown): void => {
	if (typeof target === "string" && target.startsWith("/") && leavesSite(target))
		throw APIError.from("FORBIDDEN", BASE_ERROR_CODES.INVALID_CALLBACK_URL);
};

/** The engine later parses the target, and decodes it in a magic link. Both can throw. */
const isReadable = (target: string): boolean => {
	try {
		decodeURIComponent(target);
		return URL.canParse(target, SITE);
	} catch {
		return false;
	}
};

/** A header can contain only bytes. Other characters would throw at the redirect, after the user is signed in. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches every byte
const fitsHeader = (target: string): boolean => /^[\u0000-\u00ff]*$/.test(target);

/** The redirect of a password reset is parsed first, which encodes it. */
const isEncodedLater = ({ path }: GenericEndpointContext, name: string): boolean =>
	name === "redirectTo" || endpointOf(path).redirectsWithToken;

const leavesSite = (path: string): boolean => {
	const resolved = URL.parse(path, SITE);
	return resolved?.origin !== SITE || resolved.pathname.startsWith("//");
};
