import type { BetterAuthOptions } from "@better-auth/core";
import { router } from "better-auth/api";
import type { RunningContext } from "./running-context.ts";

export type Handler = (request: Request) => Promise<Response>;

/**
 * The engine's router, built once and again if plugins change. The engine itself builds it for each request, because
 * endpoints and middleware close over the context of the request.
 */
export const createKeptRouter = (options: BetterAuthOptions, { standIn, current, viewOptions }: RunningContext) => {
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
		const { handler } = router(standIn, viewOptions(options));
		byBasePath.set(pathname, handler);
		return handler;
	};
};

/**
 * What a router is built from. A plugin can return other endpoints for each request with a getter, and an endpoint that it
 * removes must not be served again.
 */
const shapeOf = ({ plugins = [], advanced }: BetterAuthOptions): unknown[] => {
	const shape: unknown[] = [advanced?.skipTrailingSlashes];
	for (const plugin of plugins) {
		shape.push(plugin);
		for (const [name, endpoint] of Object.entries(plugin.endpoints ?? {})) shape.push(name, endpoint);
		for (const { path, middleware } of plugin.middlewares ?? []) shape.push(path, middleware);
	}
	return shape;
};
