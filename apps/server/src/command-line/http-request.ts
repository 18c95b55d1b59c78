import { Agent as HttpAgent, type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";

type HttpRequest = {
	method: "GET" | "POST";
	url: URL;
	headers: Record<string, string>;
	body?: string | undefined;
	/** seconds until the response must be complete */
	timeout: number;
};

export type HttpAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

/** Larger than any page of the API. A wrong address must not fill the memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const agents = {
	"http:": new HttpAgent({ keepAlive: true }),
	"https:": new HttpsAgent({ keepAlive: true }),
};

/**
 * Sends one request and returns the whole response. Does not use fetch: fetch gives up after five minutes, and deleting
 * a large tenant may take longer. It also follows redirects, along which the key must not be sent.
 */
export const sendRequest = ({ method, url, headers, body, timeout }: HttpRequest): Promise<HttpAnswer> =>
	new Promise((resolve, reject) => {
		const isSecure = url.protocol === "https:";
		const outgoing = (isSecure ? requestHttps : requestHttp)(url, {
			method,
			headers: { ...headers, ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }) },
			agent: isSecure ? agents["https:"] : agents["http:"],
			signal: AbortSignal.timeout(timeout * 1000),
		});
		outgoing.on("error", reject);
		outgoing.on("response", (incoming) => {
			const chunks: Buffer[] = [];
			let bytes = 0;
			incoming.on("data", (chunk: Buffer) => {
				bytes += chunk.length;
				if (bytes > MAX_ANSWER_BYTES) incoming.destroy(new Error("The response is too large to be from the API"));
				else chunks.push(chunk);
			});
			incoming.on("error", reject);
			incoming.on("end", () =>
				resolve({
					status: incoming.statusCode ?? 0,
					headers: incoming.headers,
					text: Buffer.concat(chunks).toString("utf8"),
				}),
			);
		});
		outgoing.end(body);
	});
