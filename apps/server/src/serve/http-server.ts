import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { HttpConfig } from "../config/http.ts";
import type { createListener } from "../http/listener.ts";
import { OTHER } from "../http/routes.ts";
import type { Metrics } from "../observe/metrics.ts";
import { trackConnections } from "./connections.ts";

/** Milliseconds that the head of a request may take, and a connection without a request is kept. */
const HEADERS_TIMEOUT = 10_000;
/** Longer than balancers keep theirs (60 s, most of them): whoever closes first never loses a request to the other. */
const KEEP_ALIVE_TIMEOUT = 72_000;

type ServerWith = { listener: ReturnType<typeof createListener>; metrics: Metrics; requestTimeout: number };

/** Node's server with time-outs, which tells what is no HTTP in JSON too. */
export const createHttpServer = ({ listener, metrics, requestTimeout }: ServerWith) => {
	const server = createServer(
		{
			requestTimeout: requestTimeout * 1000,
			headersTimeout: Math.min(HEADERS_TIMEOUT, requestTimeout * 1000),
			keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
			// how often the time-outs are looked at; node's half a minute is long
			connectionsCheckingInterval: 500,
			// the app looks at it, and answers in JSON
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
		// a request that got as far as the app is counted there
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

/** Listens, and answers the port. Says which variable to change where that does not work. */
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
