import type { BaseURLConfig } from "@better-auth/core";
import { isLoopbackHost } from "@better-auth/core/utils/host";

/**
 * The origins that the engine trusts because of `baseURL`: every allowed host, in every request. A page on one tenant's
 * host could then call another tenant, and receive its redirects.
 */
export const derivedOrigins = (baseURL: BaseURLConfig | undefined): string[] => {
	if (typeof baseURL !== "object") return [];
	const { allowedHosts, protocol, fallback } = baseURL;
	const ofHosts = allowedHosts.flatMap((host) => {
		if (host.includes("://")) return [host];
		const isPlain = protocol === "http" || protocol === "auto" || isLoopbackHost(host);
		return [...(protocol === "http" ? [] : [`https://${host}`]), ...(isPlain ? [`http://${host}`] : [])];
	});
	const home = fallback ? URL.parse(fallback)?.origin : undefined;
	return home ? [...ofHosts, home] : ofHosts;
};

/** Removes each of these origins once. What the application itself trusts stays, also if it is the same origin. */
export const withoutOrigins = (trusted: readonly string[], removed: readonly string[]): string[] => {
	const rest = [...trusted];
	for (const origin of removed) {
		const at = rest.indexOf(origin);
		if (at >= 0) rest.splice(at, 1);
	}
	return rest;
};
