import type { ResolvableRequest } from "./hint.ts";

/**
 * The host a request was sent to, lower-case and without its port. Forwarded headers are not read: anyone can send them.
 * `acme.example.com.` is `acme.example.com` written out to the root (RFC 1034, section 3.1), and no other host.
 */
export const requestHost = ({ request, headers }: ResolvableRequest): string | null => {
	const host = request ? URL.parse(request.url)?.host : headers?.get("host");
	return host ? host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "") : null;
};
