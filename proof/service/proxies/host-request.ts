import { Agent, request } from "node:https";
import { Browser } from "test-kit/browser";
import { codeOf, parseBody } from "test-kit/load/answer-body";
import type { Answer } from "test-kit/load/visitor";

/** A proxy on loopback and the authority of its certificates. */
export type Address = { port: number; ca: string };

export type Sent = {
	host: string;
	path: string;
	body?: object | string;
	headers?: Record<string, string>;
	browser?: Browser;
	/** the caller's own address: all of 127.0.0.0/8 is this machine */
	from?: string;
	/** sends the body in chunks, without its length */
	chunked?: boolean;
	agent?: Agent;
};

export type HostAnswer = Answer & { setCookies: string[]; headers: Headers };

const PATIENCE_MS = 30_000;

/** One connection for each request, like a browser's first. */
const fresh = new Agent({ keepAlive: false });

/** Sends a request to a host name, over TLS, through the proxy at this address. A lost connection has the status 0. */
export const send = (
	{ port, ca }: Address,
	{ host, path, body, headers = {}, browser, from, chunked = false, agent = fresh }: Sent,
): Promise<HostAnswer> =>
	new Promise((resolve) => {
		const began = performance.now();
		const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
		const signal = AbortSignal.timeout(PATIENCE_MS);
		const failed = (): void =>
			resolve({
				status: 0,
				failure: signal.aborted ? "too late" : "cut off",
				json: null,
				code: null,
				location: null,
				ms: performance.now() - began,
				setCookies: [],
				headers: new Headers(),
			});
		const outgoing = request(
			{
				...{ host: "127.0.0.1", port, servername: host, ca, path, agent, signal },
				...(from ? { localAddress: from } : {}),
				method: text === undefined ? "GET" : "POST",
				headers: {
					host,
					origin: `https://${host}`,
					...(browser ? { cookie: browser.header() } : {}),
					...(text === undefined ? {} : { "content-type": "application/json" }),
					...(text === undefined || chunked ? {} : { "content-length": String(Buffer.byteLength(text)) }),
					...headers,
				},
			},
			async (incoming) => {
				try {
					const chunks: Buffer[] = [];
					for await (const chunk of incoming) chunks.push(chunk);
					const read = new Headers();
					for (const [name, value] of Object.entries(incoming.headers))
						for (const one of [value ?? []].flat()) read.append(name, one);
					browser?.take(new Response(null, { headers: read }));
					const json = parseBody(Buffer.concat(chunks).toString());
					resolve({
						status: incoming.statusCode ?? 0,
						failure: null,
						json,
						code: codeOf(json),
						location: incoming.headers.location ?? null,
						ms: performance.now() - began,
						setCookies: incoming.headers["set-cookie"] ?? [],
						headers: read,
					});
				} catch {
					failed();
				}
			},
		);
		outgoing.on("error", failed);
		if (text === undefined) outgoing.end();
		else if (chunked) {
			outgoing.write(text.slice(0, 1));
			outgoing.end(text.slice(1));
		} else outgoing.end(text);
	});

/** A browser that keeps its connections and cookies, at one host. */
export class HostVisitor {
	readonly browser: Browser;
	readonly #address: Address;
	readonly #host: string;
	readonly #agent: Agent;

	constructor(address: Address, host: string, agent = new Agent({ keepAlive: true }), browser = new Browser()) {
		this.#address = address;
		this.#host = host;
		this.#agent = agent;
		this.browser = browser;
	}

	copy(): HostVisitor {
		return new HostVisitor(this.#address, this.#host, this.#agent, this.browser.copy());
	}

	send(path: string, body?: object): Promise<HostAnswer> {
		return send(this.#address, {
			...{ host: this.#host, path: `/api/auth${path}`, browser: this.browser, agent: this.#agent },
			...(body ? { body } : {}),
		});
	}

	close(): void {
		this.#agent.destroy();
	}
}
