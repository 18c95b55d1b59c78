import type { MiddlewareHandler } from "hono";
import type { Logger } from "../observe/logger.ts";
import type { Metrics } from "../observe/metrics.ts";
import { signInOf } from "../observe/sign-ins.ts";
import type { AppEnvironment } from "./environment.ts";
import { runInRequest } from "./request-context.ts";
import { LIVEZ, READYZ } from "./routes.ts";

/**
 * Logs and counts each request once, when its answer is sent: the endpoint's pattern and never the address, since tokens
 * stand in paths and queries.
 */
export const observeRequests =
	(logger: Logger, metrics: Metrics): MiddlewareHandler<AppEnvironment> =>
	async (c, next) => {
		const started = performance.now();
		const outgoing = c.env?.outgoing;
		const socket = outgoing && "socket" in outgoing ? outgoing.socket : null;
		const writtenBefore = socket?.bytesWritten ?? 0;
		const closed = outgoing && new Promise((resolve) => outgoing.once("close", resolve));
		await next();

		const { method } = c.req;
		const { route, context } = c.var;
		const { status } = c.res;
		const signIn = signInOf({ pattern: route.pattern, provider: context.provider, response: c.res });
		if (signIn) metrics.signIn(signIn);
		const sent = (): void => {
			const seconds = (performance.now() - started) / 1000;
			metrics.request({ method, route, status, seconds });
			const line = {
				method,
				route: route.pattern,
				status,
				ms: Math.round(seconds * 1000),
				bytes: (socket?.bytesWritten ?? 0) - writtenBefore,
				// the caller was gone before the answer was
				...(outgoing && !outgoing.writableFinished ? { aborted: true } : {}),
			};
			// probes come every few seconds from everywhere
			const level = route === LIVEZ || route === READYZ ? "debug" : "info";
			runInRequest(context, () => logger[level](line, "request"));
		};
		if (closed) void closed.then(sent);
		else sent();
	};
