import type { MiddlewareHandler } from "hono";
import { runInRequest } from "../lib/request-context.ts";
import type { Metrics } from "../measure/metrics.ts";
import type { SignInNotes } from "../measure/note-sign-in.ts";
import { reasonOf } from "../measure/sign-ins.ts";
import type { Logger } from "../observe/logger.ts";
import type { AppEnvironment } from "../request/environment.ts";
import { LIVEZ, READYZ } from "../request/routes.ts";

/**
 * Logs and counts each request once, after its response is sent. Records the endpoint's pattern, not the URL, because
 * paths and queries may contain tokens.
 */
export const observeRequests =
	(logger: Logger, metrics: Metrics, noteSignIn: SignInNotes): MiddlewareHandler<AppEnvironment> =>
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
		if (status === 429 || status === 503) metrics.refused(status, await reasonOf(c.res));
		await noteSignIn(c, route.pattern, c.res);
		const sent = (): void => {
			const seconds = (performance.now() - started) / 1000;
			metrics.request({ method, route, status, seconds });
			const line = {
				method,
				route: route.pattern,
				status,
				ms: Math.round(seconds * 1000),
				bytes: (socket?.bytesWritten ?? 0) - writtenBefore,
				// the caller disconnected before the response was complete
				...(outgoing && !outgoing.writableFinished ? { aborted: true } : {}),
			};
			// probes are frequent
			const level = route === LIVEZ || route === READYZ ? "debug" : "info";
			runInRequest(context, () => logger[level](line, "request"));
		};
		if (closed) void closed.then(sent);
		else sent();
	};
