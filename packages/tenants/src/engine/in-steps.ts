import type { BetterAuthPlugin, HookEndpointContext } from "@better-auth/core";
import type { AuthMiddleware } from "@better-auth/core/api";
import { isAPIError } from "better-auth/api";
import { kAPIErrorHeaderSymbol } from "better-call";

type AfterHook = NonNullable<NonNullable<BetterAuthPlugin["hooks"]>["after"]>[number];

/** A step after an endpoint: what a hook of Better Auth is. */
export type Step = { matcher: (ctx: HookEndpointContext) => boolean; handler: AuthMiddleware };

type Outcome = { headers?: Headers | null | undefined; response?: unknown };
type Responding = { context: { returned?: unknown; responseHeaders?: Headers | undefined } };

/**
 * One hook that runs the steps of an endpoint in their order, as Better Auth runs hooks: a step sees the response and the headers of those before it,
 * and an `APIError` of one is the response that the next one sees. Better Auth lists and matches every hook for each endpoint that
 * it dispatches to, so one hook costs less than many. A test compares both.
 */
export const inSteps = (stepsOf: (path: string | undefined) => readonly Step[]): AfterHook => ({
	matcher: (ctx) => stepsOf(ctx.path).some(({ matcher }) => matcher(ctx)),
	handler: async (input) => {
		// the engine passes more properties to hooks than its type has
		const ctx = input as never as HookEndpointContext & Responding;
		for (const { matcher, handler } of stepsOf(ctx.path)) {
			if (!matcher(ctx)) continue;
			const { headers, response } = await outcomeOf(handler, input);
			mergeHeaders(ctx, headers);
			if (response !== undefined) ctx.context.returned = response;
		}
		return { headers: null, response: undefined };
	},
});

const outcomeOf = async (handler: AuthMiddleware, input: Parameters<AuthMiddleware>[0]): Promise<Outcome> => {
	try {
		return (await handler(input)) as Outcome;
	} catch (error) {
		if (!isAPIError(error)) throw error;
		return { response: error, headers: headersOf(error) };
	}
};

/** The headers that were set before an error was thrown, and those of the error itself. A redirect has them twice. */
const headersOf = (error: Error): Headers => {
	const set: unknown = Reflect.get(error, kAPIErrorHeaderSymbol);
	const own: unknown = Reflect.get(error, "headers");
	const headers = new Headers(set instanceof Headers ? set : undefined);
	if (!own || own === set) return headers;
	new Headers(own as HeadersInit).forEach((value, name) => {
		if (name === "set-cookie") headers.append(name, value);
		else headers.set(name, value);
	});
	return headers;
};

const mergeHeaders = ({ context }: Responding, headers: Headers | null | undefined): void => {
	headers?.forEach((value, name) => {
		context.responseHeaders ??= new Headers();
		if (name === "set-cookie") context.responseHeaders.append(name, value);
		else context.responseHeaders.set(name, value);
	});
};
