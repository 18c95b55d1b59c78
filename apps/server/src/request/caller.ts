import type { IncomingMessage } from "node:http";
import { clientAddress } from "./client-address.ts";
import { normalAddress, type TrustedProxies } from "./trusted-proxies.ts";

export type Caller = {
	address: string;
	/** whether the request came through a trusted proxy, whose headers are trusted */
	isProxied: boolean;
	/** the requested host, with its port if there is one */
	host: string;
	scheme: "http" | "https";
};

/** A request that is rejected with 400 before the engine sees it. The message only goes to the log. */
export class MalformedRequest extends Error {
	override name = "MalformedRequest";
}

/** A name or address with an optional port. Stricter than the URL parser: browsers and proxies send nothing else. */
const HOST =
	/^(?:(?=.{1,253}(?::|$))[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Reads who sent a request, and to which host. X-Forwarded-Host and X-Forwarded-Proto are only trusted from trusted
 * proxies. Without them, the scheme is that of the public URL, because this process never speaks TLS.
 */
export const readCaller = (incoming: IncomingMessage, isTrusted: TrustedProxies, publicURL: string): Caller => {
	assertWellFormed(incoming);
	const { headers, socket } = incoming;
	const peer = normalAddress(socket.remoteAddress);
	const isProxied = peer !== null && isTrusted(peer);
	const address = clientAddress(socket.remoteAddress, joined(headers["x-forwarded-for"]), isTrusted);
	if (address === null) throw new MalformedRequest("the connection has no address: it is already closed");

	const ours = new URL(publicURL);
	const told = (name: string): string | undefined => (isProxied ? lastOf(headers[name]) : undefined);
	// "acme.example.com." is the same name in DNS, so it must compare as equal
	const host = (told("x-forwarded-host") ?? headers.host ?? ours.host).replace(/\.(?=:\d+$|$)/, "");
	if (!HOST.test(host) || !URL.canParse(`http://${host}`)) throw new MalformedRequest("the host is invalid");
	const scheme = told("x-forwarded-proto")?.toLowerCase() ?? ours.protocol.slice(0, -1);
	if (scheme !== "http" && scheme !== "https")
		throw new MalformedRequest("the forwarded scheme is neither http nor https");
	return { address, isProxied, host: host.toLowerCase(), scheme };
};

const assertWellFormed = ({ method, url, rawHeaders, httpVersion }: IncomingMessage): void => {
	// TRACE would echo the request, including cookies
	if (method === "TRACE" || method === "CONNECT") throw new MalformedRequest(`${method} is not supported`);
	// the absolute form (RFC 9112, section 3.2.2) names a second host, which would override the one that proxies check
	if (!url?.startsWith("/")) throw new MalformedRequest("the request target is not a path");
	const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
	// HTTP/1.0 has no Host header, and some load balancers use it for health checks
	if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== "1.0"))
		throw new MalformedRequest("there must be exactly one Host header (RFC 9112, section 3.2)");
};

const joined = (value: string | string[] | undefined): string | undefined =>
	Array.isArray(value) ? value.join(",") : value;

/** The last of several values, which our own proxy added. */
const lastOf = (value: string | string[] | undefined): string | undefined =>
	joined(value)?.split(",").at(-1)?.trim() || undefined;
