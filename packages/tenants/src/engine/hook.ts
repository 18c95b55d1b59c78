import type { GenericEndpointContext } from "@better-auth/core";
import type { AuthMiddleware } from "@better-auth/core/api";
import { readCookie } from "./request-cookie.ts";
import { valueOfSigned } from "./signed-value.ts";
import { isSignedBy } from "./verify-signed.ts";

/** After an endpoint ran, the context also contains its response. */
export type HookContext = GenericEndpointContext & {
	context: { returned?: unknown; responseHeaders?: Headers | undefined };
};

/**
 * Creates a hook that reads the request and returns nothing, or changes to the context. `createAuthMiddleware` builds
 * three contexts per hook, with parsed cookies and response headers. For a session check, that was most of the cost of
 * tenants. Hooks that set cookies or headers use `createAuthMiddleware`.
 */
export const createHook = (run: (ctx: HookContext) => Promise<unknown>): AuthMiddleware => {
	// the engine passes more properties to hooks than its type has
	return async (input) => ({ headers: null, response: await run(readingContext(input as never)) });
};

/** The context for hooks that only read. It lacks the methods that set cookies and headers. */
export const readingContext = (input: HookContext): HookContext => {
	const cookies = input.headers?.get("cookie");
	let read: Map<string, string | null> | undefined;
	return {
		...input,
		// as in the engine's middleware: hooks must not skip an endpoint without a path
		path: input.path || "/",
		getCookie: (name: string) => {
			if (!cookies) return null;
			const known = read?.get(name);
			if (known !== undefined) return known;
			const value = readCookie(cookies, name);
			read ??= new Map();
			read.set(name, value);
			return value;
		},
		getSignedCookie: async (name: string, secret: string) => {
			const signed = cookies ? readCookie(cookies, name) : null;
			if (!isSigned(signed)) return null;
			return (await isSignedBy(secret, signed)) ? valueOfSigned(signed) : false;
		},
	};
};

/** Whether it has the form of a signed cookie. A test compares it with the engine's method. */
const isSigned = (signed: string | null): signed is string => signed !== null && /.\.[^.]{43}=$/s.test(signed);
