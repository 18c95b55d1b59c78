import type { IncomingMessage } from "node:http";
import { clientAddress } from "./client-address.ts";
import { normalAddress, type TrustedProxies } from "./trusted-proxies.ts";

export type Caller = {
	address: string;
	/** whether one of our proxies speaks for it: what such a one says of the request is believed */
	isProxied: boolean;
	/** the host that the request was sent to, with its port where there is one */
	host: string;
	scheme: "http" | "https";
};

/** A request that no answer of the engine's fits: the reason goes to the log, the caller gets 400. */
export class MalformedRequest extends Error {
	override name = "MalformedRequest";
}

/** A name or an address, with or without a port. What else the URL parser would take, no browser and no proxy sends. */
const HOST =
	/^(?:(?=.{1,253}(?::|$))[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Who sent a request, and where to. X-Forwarded-Host and -Proto are believed of our proxies, and of nobody else. Without
 * their word the scheme is that of the public address: this process itself never speaks TLS.
 */
export const readCaller = (incoming: IncomingMessage, isTrusted: TrustedProxies, publicURL: string): Caller => {
	assertWellFormed(incoming);
	const { headers, socket } = incoming;
	const peer = normalAddress(socket.remoteAddress);
	const isProxied = peer !== null && isTrusted(peer);
	const address = clientAddress(socket.remoteAddress, joined(headers["x-forwarded-for"]), isTrusted);
	if (address === null) throw new MalformedRequest("the connection has no address: it is closed already");

	const ours = new URL(publicURL);
	const told = (name: string): string | undefined => (isProxied ? lastOf(headers[name]) : undefined);
	// "acme.example.com." is the same name to DNS, and must not be another one to whoever compares it
	const host = (told("x-forwarded-host") ?? headers.host ?? ours.host).replace(/\.(?=:\d+$|$)/, "");
	if (!HOST.test(host) || !URL.canParse(`http://${host}`)) throw new MalformedRequest("the host is no host");
	const scheme = told("x-forwarded-proto")?.toLowerCase() ?? ours.protocol.slice(0, -1);
	if (scheme !== "http" && scheme !== "https")
		throw new MalformedRequest("the forwarded scheme is no scheme of the web");
	return { address, isProxied, host: host.toLowerCase(), scheme };
};

const assertWellFormed = ({ method, url, rawHeaders, httpVersion }: IncomingMessage): void => {
	// TRACE answers with what it was sent, cookies and all
	if (method === "TRACE" || method === "CONNECT") throw new MalformedRequest(`${method} is not for this service`);
	// the absolute form (RFC 9112, section 3.2.2) names a second host, which would win over the one that proxies look at
	if (!url?.startsWith("/")) throw new MalformedRequest("the request target is not a path");
	const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host");
	// HTTP/1.0 has none, and the health checks of some balancers speak it
	if (hosts.length > 1 || (hosts.length === 0 && httpVersion !== "1.0"))
		throw new MalformedRequest("there is not just one Host (RFC 9112, section 3.2)");
};

const joined = (value: string | string[] | undefined): string | undefined =>
	Array.isArray(value) ? value.join(",") : value;

/** Of several values the last: it is the one that our own proxy added. */
const lastOf = (value: string | string[] | undefined): string | undefined =>
	joined(value)?.split(",").at(-1)?.trim() || undefined;
