import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { BLOCKED_PORTS } from "./blocked-ports.ts";
import { isPublicAddress } from "./public-address.ts";

type Fetch = typeof fetch;
type Init = RequestInit & { signal: AbortSignal };

const notPublic = (): Error => new Error("The provider is not at a public address");

/**
 * A fetch that connects to public addresses only. The global fetch does not tell which address it connects to, so a name
 * that was checked could lead elsewhere a moment later. Here the connection's own lookup is the check: there is no second
 * one. Each call has a connection of its own, follows no redirect and uses no proxy.
 */
export const fetchPublic = async (input: Parameters<Fetch>[0], init: Init, plain: Fetch): Promise<Response> => {
	const request = new Request(input, init);
	const url = new URL(request.url);
	// sockets look up names only: an address in the URL would never be checked
	if (!/^https?:$/.test(url.protocol) || BLOCKED_PORTS.has(url.port) || !isPublicAddress(url.hostname))
		throw notPublic();
	if (isWorkerd()) return plain(request, { signal: init.signal });
	const [{ request: open }, dns, { Readable }] = await Promise.all([
		url.protocol === "https:" ? import("node:https") : import("node:http"),
		import("node:dns"),
		import("node:stream"),
	]);
	// before the body is read: Bun derives the content type from it
	const headers = headersOf(request);
	const body = request.body && new Uint8Array(await request.arrayBuffer());
	return new Promise((resolve, reject) => {
		const sent = open(url, {
			method: request.method,
			headers,
			signal: init.signal,
			lookup: lookUpPublic(dns.lookup),
			// no pool: a connection that something else opened was not checked
			agent: false,
		});
		sent.on("error", (error) => reject(init.signal.aborted ? init.signal.reason : error));
		// a switch of protocols is neither an error nor a response
		sent.on("close", () => reject(new Error("The provider sent no response")));
		sent.on("response", (message) => {
			try {
				resolve(responseOf(message, Readable.toWeb(message) as ReadableStream<Uint8Array<ArrayBuffer>>));
			} catch (error) {
				sent.destroy();
				reject(error);
			}
		});
		sent.end(body);
	});
};

/**
 * Its fetch takes no lookup. It checks addresses itself when it connects: its network is public addresses alone unless
 * the operator configures another (`allow` in workerd.capnp).
 */
const isWorkerd = (): boolean => globalThis.navigator?.userAgent === "Cloudflare-Workers";

/** Looks a name up once and lets through what it found, if all of it is public: a socket tries one after the other. */
const lookUpPublic =
	(lookup: typeof import("node:dns").lookup): LookupFunction =>
	(name, options, done) =>
		lookup(name, { ...options, all: true }, (error, found) => {
			const [first] = found ?? [];
			if (error) done(error, []);
			else if (!first || !found.every(({ address }) => isPublicAddress(address))) done(notPublic(), []);
			else if (options.all) done(null, found);
			else done(null, first.address, first.family);
		});

const headersOf = ({ headers }: Request): Record<string, string> => {
	const sent = new Headers(headers);
	// Node would check the certificate against this name
	sent.delete("host");
	sent.set("accept-encoding", "identity");
	for (const [name, value] of DEFAULT_HEADERS) if (!sent.has(name)) sent.set(name, value);
	return Object.fromEntries(sent);
};

/** Those of fetch that servers look at. */
const DEFAULT_HEADERS = [
	["accept", "*/*"],
	["user-agent", "node"],
] as const;

const BODILESS = new Set([204, 205, 304]);

const responseOf = (message: IncomingMessage, body: ReadableStream<Uint8Array<ArrayBuffer>>): Response => {
	const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = message;
	const headers = new Headers();
	for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
	if (!BODILESS.has(status)) return new Response(decoded(body, headers), { status, statusText, headers });
	message.destroy();
	return new Response(null, { status, statusText, headers });
};

/** Servers of static files may send what they have, although it was not asked for. */
const decoded = (body: ReadableStream<Uint8Array<ArrayBuffer>>, headers: Headers): ReadableStream<Uint8Array> => {
	const encoding = headers.get("content-encoding") ?? "identity";
	if (encoding === "identity") return body;
	if (encoding === "gzip" || encoding === "deflate") return body.pipeThrough(new DecompressionStream(encoding));
	throw new Error("The provider's response has an unsupported content encoding");
};
