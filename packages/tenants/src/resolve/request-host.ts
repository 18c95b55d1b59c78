import type { ResolvableRequest } from "./hint.ts";
import { normalizeHost } from "./host-name.ts";

type Sent = Pick<ResolvableRequest, "request" | "headers">;

/**
 * The host that a request was sent to, in its one spelling (`normalizeHost`). Null if there is none.
 *
 * Reads the `Host` header, and the URL if there is no header. Better Auth does the same, and some servers have only an
 * internal host in the URL. Reads `X-Forwarded-Host` only if the application trusts it, because anyone can send it. A list
 * of hosts is not one host.
 */
export const requestHost = ({ request, headers }: Sent, { trustsForwarded = false } = {}): string | null => {
	const sent = request?.headers ?? headers;
	const forwarded = trustsForwarded ? sent?.get("x-forwarded-host") : null;
	const host = forwarded ?? sent?.get("host") ?? (request && URL.parse(request.url)?.host);
	return host ? normalizeHost(host) : null;
};
