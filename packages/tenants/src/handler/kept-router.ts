import type { BetterAuthOptions } from "@better-auth/core";
import { router } from "better-auth/api";
import type { RunningContext } from "./running-context.ts";

export type Handler = (request: Request) => Promise<Response>;

/**
 * The engine's router, built once and again if plugins change. The engine itself builds it for each request, because
 * endpoints and middleware close over the context of the request.
 */
export const createKeptRouter = (options: BetterAuthOptions, { standIn, current }: RunningContext) => {
	let shape: unknown[] = [];
	let byBasePath = new Map<string, Handler>();
	/** The handler for the running request. */
	return (): Handler => {
		const now = shapeOf(options);
		if (now.length !== shape.length || now.some((part, at) => part !== shape[at])) {
			shape = now;
			byBasePath = new Map();
		}
		// a router serves one base path: of `basePath`, or of a URL in the configuration
		const { pathname } = new URL(current().baseURL);
		const kept = byBasePath.get(pathname);
		if (kept) return kept;
		const { handler } = router(standIn, withCurrentContext(options, current));
		byBasePath.set(pathname, handler);
		return handler;
	};
};

/** What a router is built from. With a getter, a plugin can return other endpoints for each request. */
const shapeOf = ({ plugins = [] }: BetterAuthOptions): unknown[] =>
	plugins.flatMap((plugin) => [plugin, plugin.endpoints, plugin.middlewares]);

/** The application's `onError` receives the context, too. */
const withCurrentContext = (options: BetterAuthOptions, current: RunningContext["current"]): BetterAuthOptions => {
	const onError = options.onAPIError?.onError;
	if (!onError) return options;
	return { ...options, onAPIError: { ...options.onAPIError, onError: (error) => onError(error, current()) } };
};
