import type { ResolvableRequest } from "./hint.ts";

/**
 * The host of a request, in lower case and without its port. Ignores forwarded headers, because anyone can send them.
 * `acme.example.com.` with the dot of the DNS root (RFC 1034, section 3.1) is the same host as `acme.example.com`.
 */
export const requestHost = ({ request, headers }: ResolvableRequest): string | null => {
	const host = request ? URL.parse(request.url)?.host : headers?.get("host");
	return host ? host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "") : null;
};
