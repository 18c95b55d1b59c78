import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { classifyHost } from "@better-auth/core/utils/host";

type Fetch = typeof fetch;
type Init = RequestInit & { signal: AbortSignal };

const notPublic = (): Error => new Error("The provider is not at a public address");

/**
 * A fetch that connects to public addresses only. The global fetch does not reveal which address it connects to, so a
 * name could resolve to another address after the check. Here the connection's own lookup is checked, and there is no
 * second lookup. Each call opens its own connection, follows no redirect and uses no proxy.
 */
export const fetchPublic = async (input: Parameters<Fetch>[0], init: Init, plain: Fetch): Promise<Response> => {
	const request = new Request(input, init);
	const url = new URL(request.url);
	// sockets look up names only, so an IP address in the URL must be checked here
	if (!/^https?:$/.test(url.protocol) || BLOCKED_PORTS.has(url.port) || !isPublicAddress(url.hostname))
		throw notPublic();
	if (isWorkerd()) return plain(request, { signal: init.signal });
	const [{ request: open }, dns, { Readable }] = await Promise.all([
		url.protocol === "https:" ? import("node:https") : import("node:http"),
		import("node:dns"),
		import("node:stream"),
	]);
	// read the headers before the body: Bun derives the content type from the body
	const headers = headersOf(request);
	const body = request.body && new Uint8Array(await request.arrayBuffer());
	return new Promise((resolve, reject) => {
		const sent = open(url, {
			method: request.method,
			headers,
			signal: init.signal,
			lookup: lookUpPublic(dns.lookup),
			// no connection pool: its connections were not checked
			agent: false,
		});
		sent.on("error", (error) => reject(init.signal.aborted ? init.signal.reason : error));
		// switching protocols emits neither "error" nor "response"
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
 * The fetch of workerd accepts no lookup function. workerd itself connects to public addresses only, unless the operator
 * configures another network (`allow` in workerd.capnp).
 */
const isWorkerd = (): boolean => globalThis.navigator?.userAgent === "Cloudflare-Workers";

/** Resolves a name once. All addresses must be public, because a socket tries them one after the other. */
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
	// otherwise Node checks the certificate against this name
	sent.delete("host");
	sent.set("accept-encoding", "identity");
	for (const [name, value] of DEFAULT_HEADERS) if (!sent.has(name)) sent.set(name, value);
	return Object.fromEntries(sent);
};

/** Default headers of fetch that some servers require. */
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

/** Decompresses the body. Static file servers may send compressed files although only `identity` was accepted. */
const decoded = (body: ReadableStream<Uint8Array<ArrayBuffer>>, headers: Headers): ReadableStream<Uint8Array> => {
	const encoding = headers.get("content-encoding") ?? "identity";
	if (encoding === "identity") return body;
	if (encoding === "gzip" || encoding === "deflate") return body.pipeThrough(new DecompressionStream(encoding));
	throw new Error("The provider's response has an unsupported content encoding");
};

/** Ports that `fetch` refuses to connect to: the "bad ports" of the Fetch standard. */
const BLOCKED_PORTS: ReadonlySet<string> = new Set(
	(
		"0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 " +
		"135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 " +
		"995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080"
	).split(" "),
);

/** Azure's host service: a public address that is reachable only inside the network. */
const INSIDE_ADDRESSES = new Set(["168.63.129.16"]);

/** The IPv6 range that is routed on the internet (2000::/3), without 6to4, which wraps an IPv4 address. */
const GLOBAL_UNICAST = /^(?!2002:)[23]/;

/**
 * Whether the server may call an address for a tenant. An IPv4 address mapped to IPv6 is checked as IPv4. Returns true
 * for most names (not for names such as localhost), so also check the addresses that a name resolves to.
 */
const isPublicAddress = (address: string): boolean => {
	const { kind, literal, canonical } = classifyHost(address);
	return (
		kind === "public" && !INSIDE_ADDRESSES.has(canonical) && (literal !== "ipv6" || GLOBAL_UNICAST.test(canonical))
	);
};
