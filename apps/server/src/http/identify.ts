import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { createPagePaths } from "../lib/page-paths.ts";
import { runInRequest } from "../lib/request-context.ts";
import type { Logger } from "../observe/logger.ts";
import { type Caller, MalformedRequest, readCaller } from "../request/caller.ts";
import type { AppContext, AppEnvironment } from "../request/environment.ts";
import type { createPaths } from "../request/paths.ts";
import { LIVEZ, OTHER, READYZ, type Route, type Routes } from "../request/routes.ts";
import type { TrustedProxies } from "../request/trusted-proxies.ts";

type IdentifyWith = {
	isTrusted: TrustedProxies;
	publicURL: string;
	placeOf: ReturnType<typeof createPaths>;
	/** null if pages are off */
	pageOf: ReturnType<typeof createPagePaths> | null;
	routes: Routes;
	logger: Logger;
};

const REQUEST_ID = "x-request-id";
const WELL_FORMED_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{7,127}$/;

/** Identifies the caller and endpoint, assigns the request id, and runs the rest in the request's context. */
export const identify = (parts: IdentifyWith): MiddlewareHandler<AppEnvironment> => {
	return (c, next) => {
		const { caller, problem } = callerOf(c, parts);
		const target = c.env?.incoming?.url ?? c.req.raw.url.replace(/^[a-z]+:\/\/[^/?#]*/, "");
		const place = parts.placeOf(target);
		const pagePlace = place ? null : (parts.pageOf?.(target) ?? null);
		const sent = caller?.isProxied ? c.req.header(REQUEST_ID) : undefined;
		const requestId = sent && WELL_FORMED_ID.test(sent) ? sent : randomUUID();
		const context = { requestId, tenantSlug: (place ?? pagePlace)?.tenantSlug ?? null, tenantId: null, provider: null };
		c.set("caller", caller);
		c.set("place", place);
		c.set("pagePlace", pagePlace);
		const other = (): Route => (pagePlace ? { pattern: `page ${pagePlace.page}` } : ownRoute(target));
		c.set("route", place ? parts.routes.find(c.req.method, place.path) : other());
		c.set("context", context);
		return runInRequest(context, async () => {
			if (problem) parts.logger.debug({ problem }, "malformed request");
			await next();
			c.res.headers.set(REQUEST_ID, requestId);
		});
	};
};

/** The caller of requests that are made in the process. */
const IN_PROCESS = { address: "127.0.0.1", isProxied: false } as const;

const callerOf = (c: AppContext, parts: IdentifyWith): { caller: Caller | null; problem?: string } => {
	const incoming = c.env?.incoming;
	if (!incoming || !("socket" in incoming)) {
		const { host, protocol } = new URL(c.req.raw.url);
		return { caller: { ...IN_PROCESS, host, scheme: protocol === "https:" ? "https" : "http" } };
	}
	try {
		return { caller: readCaller(incoming, parts.isTrusted, parts.publicURL) };
	} catch (error) {
		if (error instanceof MalformedRequest) return { caller: null, problem: error.message };
		throw error;
	}
};

const ownRoute = (target: string): Route => {
	const [path] = target.split("?", 1);
	return [LIVEZ, READYZ].find(({ pattern }) => pattern === path) ?? OTHER;
};
