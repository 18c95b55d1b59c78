import type { GenericEndpointContext } from "@better-auth/core";
import { type AuthMiddleware, createAuthMiddleware } from "@better-auth/core/api";
import { readCookie } from "./request-cookie.ts";

/** After an endpoint ran, the context also holds what it answered. */
export type HookContext = GenericEndpointContext & {
	context: { returned?: unknown; responseHeaders?: Headers | undefined };
};

/** The context as the engine's own middleware builds it. */
const wholeContext = createAuthMiddleware(async (ctx) => ctx);

/**
 * A hook of the engine that reads the request and answers nothing, or what its context is changed by. The engine's way
 * (`createAuthMiddleware`) builds three contexts for each hook, with cookies parsed and headers to answer with: for a
 * session check, that was most of what tenants cost. Hooks that set cookies or headers go the engine's way.
 */
export const createHook = (run: (ctx: HookContext) => Promise<unknown>): AuthMiddleware => {
	// the engine hands hooks more than its type says
	return async (input) => ({ headers: null, response: await run(readingContext(input as never)) });
};

/** What hooks read of a context. Whatever else an endpoint has on its own is not there to be used by mistake. */
export const readingContext = (input: HookContext): HookContext => {
	const cookies = input.headers?.get("cookie");
	const read = new Map<string, string | null>();
	return {
		...input,
		// as in the engine's middleware: an endpoint without one is not one that everything else passes over
		path: input.path || "/",
		getCookie: (name: string) => {
			const known = read.get(name);
			if (known !== undefined) return known;
			const value = readCookie(cookies, name);
			read.set(name, value);
			return value;
		},
		// seldom asked for, so the engine's own: it verifies
		getSignedCookie: async (...asked: Parameters<GenericEndpointContext["getSignedCookie"]>) => {
			const whole = await wholeContext({ ...input, returnHeaders: false } as never);
			return whole.getSignedCookie(...asked);
		},
	};
};
