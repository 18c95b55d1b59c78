import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Metrics } from "../measure/metrics.ts";
import type { Logger } from "../observe/logger.ts";
import { internalError, malformed } from "../request/answers.ts";
import type { AppEnvironment } from "../request/environment.ts";
import { OTHER } from "../request/routes.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Creates the listener for Node's server. Returns 400 for a target or host that cannot form a URL. */
export const createListener = (
	app: Hono<AppEnvironment>,
	{ logger, metrics, publicURL }: { logger: Logger; metrics: Metrics; publicURL: string },
): Listener => {
	const listener = getRequestListener((request, bindings) => app.fetch(request, bindings), {
		// HTTP/1.0 has no Host
		hostname: new URL(publicURL).host,
		overrideGlobalObjects: false,
		errorHandler: (error) => {
			const isTheirs = error instanceof Error && error.name === "RequestError";
			metrics.request({ method: OTHER.pattern, route: OTHER, status: isTheirs ? 400 : 500, seconds: null });
			if (isTheirs) {
				logger.debug({ problem: error.message }, "malformed request");
				return malformed();
			}
			metrics.unhandledError();
			logger.error({ err: error }, "request failed");
			return internalError();
		},
	});
	return (incoming, outgoing) => void listener(incoming, outgoing);
};
