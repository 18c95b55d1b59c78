import type { BetterAuthOptions } from "@better-auth/core";
import { router } from "better-auth/api";
import { leanRouter } from "../../engine/lean-router.ts";
import type { RunningContext } from "./running-context.ts";

export type Handler = (request: Request) => Promise<Response>;

/**
 * The engine's router, built once and again if plugins change. The engine itself builds it for each request, because
 * endpoints and middleware close over the context of the request.
 */
export const createCachedRouter = (options: BetterAuthOptions, { standIn, current, viewOptions }: RunningContext) => {
	let shape: unknown[] = [];
	let byBasePath = new Map<string, Handler>();
	const pathOf = createPathReader();
	/** The handler for the running request. */
	return (): Handler => {
		if (!hasShape(options, shape)) {
			shape = readShape(options);
			byBasePath = new Map();
		}
		// a router serves one base path: of `basePath`, or of a URL in the configuration
		const pathname = pathOf(current().baseURL);
		const kept = byBasePath.get(pathname);
		if (kept) return kept;
		const { handler, endpoints } = router(standIn, viewOptions(options));
		leanRouter(Object.values(endpoints));
		byBasePath.set(pathname, handler);
		return handler;
	};
};

/** Most applications have one base URL. Parsing it takes as long as finding the endpoint. */
const createPathReader = () => {
	let last = { url: "", pathname: "" };
	return (url: string): string => {
		if (url !== last.url) last = { url, pathname: new URL(url).pathname };
		return last.pathname;
	};
};

/**
 * Calls `see` with each part that a router is built from. A plugin can return other endpoints for each request with a getter,
 * and an endpoint that it removes must not be served again.
 */
const eachPart = ({ plugins = [], advanced }: BetterAuthOptions, see: (part: unknown) => void): void => {
	see(advanced?.skipTrailingSlashes);
	for (const plugin of plugins) {
		see(plugin);
		const endpoints = plugin.endpoints ?? {};
		for (const name in endpoints) {
			see(name);
			see(endpoints[name]);
		}
		for (const { path, middleware } of plugin.middlewares ?? []) {
			see(path);
			see(middleware);
		}
	}
};

const readShape = (options: BetterAuthOptions): unknown[] => {
	const shape: unknown[] = [];
	eachPart(options, (part) => shape.push(part));
	return shape;
};

/** Runs for each request, so it creates no list. */
const hasShape = (options: BetterAuthOptions, shape: unknown[]): boolean => {
	let at = 0;
	let isSame = true;
	eachPart(options, (part) => {
		isSame &&= part === shape[at];
		at += 1;
	});
	return isSame && at === shape.length;
};
