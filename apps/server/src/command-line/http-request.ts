import { Agent as HttpAgent, type IncomingHttpHeaders, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";

type HttpRequest = {
	method: "GET" | "POST";
	url: URL;
	headers: Record<string, string>;
	body?: string | undefined;
	/** seconds until the answer must be complete */
	timeout: number;
};

export type HttpAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

/** More than any page has; an address that is not ours must not fill the memory. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

const agents = {
	"http:": new HttpAgent({ keepAlive: true }),
	"https:": new HttpsAgent({ keepAlive: true }),
};

/**
 * One request and its whole answer. Not by fetch: that gives up after five minutes, which deleting a large tenant may
 * take, and it follows redirects, along which no key may travel.
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
				if (bytes > MAX_ANSWER_BYTES) incoming.destroy(new Error("The answer is too long to be one of the API"));
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
