import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";

const REDIRECTS = ["callbackURL", "errorCallbackURL", "newUserCallbackURL", "redirectTo"];

/**
 * Refuses a path that stops being one when its dots are resolved. The engine takes `/x` for a path of the application's
 * and later appends to it what went wrong; in between, such a path can turn into the address of another host.
 */
export const assertSafeRedirects = (ctx: GenericEndpointContext): void => {
	for (const input of [ctx.body, ctx.query] as unknown[]) {
		if (typeof input !== "object" || input === null) continue;
		for (const name of REDIRECTS) {
			const target = Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
			if (typeof target === "string" && target.startsWith("/") && leavesSite(target)) {
				throw APIError.from("FORBIDDEN", BASE_ERROR_CODES.INVALID_CALLBACK_URL);
			}
		}
	}
};

const leavesSite = (path: string): boolean => {
	const resolved = URL.parse(path, "http://site.invalid");
	return resolved?.host !== "site.invalid" || resolved.pathname.startsWith("//");
};
