import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { HttpConfig } from "../config/http.ts";
import type { createListener } from "../http/listener.ts";
import type { Metrics } from "../measure/metrics.ts";
import { OTHER } from "../request/routes.ts";
import { trackConnections } from "./connections.ts";

/** Milliseconds to receive the headers of a request. */
const HEADERS_TIMEOUT = 10_000;
/**
 * Longer than most load balancers keep a connection (60 s): if the server closed it first, a request in transit would
 * be lost.
 */
const KEEP_ALIVE_TIMEOUT = 72_000;

type ServerWith = { listener: ReturnType<typeof createListener>; metrics: Metrics; requestTimeout: number };

/** Creates Node's HTTP server with timeouts. Invalid HTTP gets a JSON response too. */
export const createHttpServer = ({ listener, metrics, requestTimeout }: ServerWith) => {
	const server = createServer(
		{
			requestTimeout: requestTimeout * 1000,
			headersTimeout: Math.min(HEADERS_TIMEOUT, requestTimeout * 1000),
			keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
			// Node's default for checking timeouts is 30 seconds
			connectionsCheckingInterval: 500,
			// the app checks it and responds with JSON
			requireHostHeader: false,
		},
		listener,
	);
	const connections = trackConnections(server);
	server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
		const [status, code] = PROBLEMS[error.code ?? ""] ?? [400, "MALFORMED_REQUEST"];
		const answers = [...connections.answersOn(socket)];
		if (!socket.writable || answers.some(({ headersSent }) => headersSent) || error.code === "ECONNRESET")
			return socket.destroy();
		// the app counts the requests that reach it
		if (answers.length === 0) metrics.request({ method: OTHER.pattern, route: OTHER, status, seconds: null });
		const body = JSON.stringify({ code, requestId: null });
		socket.end(
			`HTTP/1.1 ${status} ${code}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
			() => socket.destroy(),
		);
	});
	return { server, connections };
};

const PROBLEMS: Record<string, [number, string]> = {
	ERR_HTTP_REQUEST_TIMEOUT: [408, "REQUEST_TIMEOUT"],
	HPE_HEADER_OVERFLOW: [431, "HEADERS_TOO_LARGE"],
	HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "PAYLOAD_TOO_LARGE"],
};

/** Listens and returns the port. If that fails, the error names the variables to change. */
export const listen = async (
	server: Server,
	{ host, port }: Pick<HttpConfig, "host" | "port">,
	variables = "HOST and PORT",
): Promise<number> => {
	await new Promise<void>((resolve, reject) => {
		server.once("error", (error: NodeJS.ErrnoException) =>
			reject(new Error(`Cannot listen on ${host}:${port} (${error.code}). Change ${variables}`, { cause: error })),
		);
		server.listen({ host, port }, resolve);
	});
	return (server.address() as AddressInfo).port;
};
