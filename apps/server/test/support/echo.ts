import { type Config, readConfig } from "../../src/config/config.ts";
import type { Environment } from "../../src/config/secret-files.ts";
import { createListener } from "../../src/http/listener.ts";
import type { Readiness } from "../../src/http/probes.ts";
import { currentRequest } from "../../src/lib/request-context.ts";
import { createMetrics } from "../../src/measure/metrics.ts";
import { createApp } from "../../src/serve/app.ts";
import { createHttpServer, listen } from "../../src/serve/http-server.ts";
import { testEnvironment } from "./environment.ts";
import { keepLog } from "./log.ts";

type Handler = (request: Request) => Promise<Response>;

/** What the engine received. */
export type Echo = {
	method: string;
	url: string;
	headers: Record<string, string>;
	body: string;
	context: ReturnType<typeof currentRequest>;
};

const echo: Handler = async (request) => {
	// like the engine for unknown paths
	if (!/\/(echo|callback\/[^/]+|sign-in\/email)$/.test(new URL(request.url).pathname))
		return new Response(null, { status: 404 });
	return Response.json({
		method: request.method,
		url: request.url,
		headers: Object.fromEntries(request.headers),
		body: await request.text(),
		context: currentRequest(),
	});
};

const endpoint = (path: string, method: string | string[]) => Object.assign(() => {}, { path, options: { method } });

/** The HTTP app on a real socket, with an engine that echoes the request. */
export const startEcho = async ({
	environment = {},
	handler = echo,
	readiness = async () => ({ ready: true, checks: {} }),
	adjust = (config) => config,
}: {
	environment?: Environment;
	handler?: Handler;
	readiness?: Readiness;
	adjust?: (config: Config) => Config;
} = {}) => {
	const config = adjust(readConfig(testEnvironment("postgres://nobody@127.0.0.1:1/nothing", environment)));
	const log = keepLog("debug");
	const metrics = createMetrics({ pool: null });
	const api = {
		echo: endpoint("/echo", ["GET", "POST", "PUT", "PATCH", "DELETE"]),
		callback: endpoint("/callback/:id", "GET"),
		signIn: endpoint("/sign-in/email", "POST"),
	};
	const app = createApp({ config, auth: { handler, api } as never, logger: log.logger, metrics, readiness });
	const listener = createListener(app, { logger: log.logger, metrics, publicURL: config.http.publicURL });
	const { server, connections } = createHttpServer({ listener, metrics, requestTimeout: config.http.requestTimeout });
	const port = await listen(server, config.http);
	return {
		app,
		port,
		url: `http://127.0.0.1:${port}`,
		log,
		metrics,
		server,
		connections,
		/** What the engine received for a request. */
		echo: async (path: string, init: RequestInit = {}): Promise<Echo> =>
			(await (await fetch(`http://127.0.0.1:${port}${path}`, init)).json()) as Echo,
		close: async () => {
			server.close();
			server.closeAllConnections();
		},
	};
};
