import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Seen = { method: string; path: string; query: URLSearchParams; authorization: string | undefined; body: string };
type Intercept = (seen: Seen, response: ServerResponse, request: IncomingMessage) => boolean | Promise<boolean>;

/** A proxy between a command and the server. It records every request, and can respond instead of the server. */
export const startGateway = async (target: string) => {
	const requests: Seen[] = [];
	let intercept: Intercept | null = null;
	const server = createServer(async (request, response) => {
		const url = new URL(request.url ?? "", target);
		const body = await text(request);
		const { method = "", headers } = request;
		const seen = {
			method,
			path: url.pathname,
			query: url.searchParams,
			authorization: headers.authorization,
			body,
		};
		requests.push(seen);
		if (await intercept?.(seen, response, request)) return;
		const onwards = send(url, { method, headers }, (answer) => {
			response.writeHead(answer.statusCode ?? 500, answer.headers);
			answer.pipe(response);
		});
		onwards.on("error", () => response.destroy());
		onwards.end(body);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		/** replaces the previous handler; null passes everything through */
		intercept: (by: Intercept | null) => {
			intercept = by;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
};

/** Responds with an API error. */
export const refuse = (
	response: ServerResponse,
	status: number,
	body: object | string,
	headers: Record<string, string> = {},
): true => {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(typeof body === "string" ? body : JSON.stringify(body));
	return true;
};
