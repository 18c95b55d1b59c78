import { isLoopbackHost } from "@better-auth/core/utils/host";
import { findForgers, findPlainHttp } from "../config/exposures.ts";
import type { HttpConfig } from "../config/http.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("public url");

/** Checks that cookies and passwords travel over TLS and that callers can be told apart. Makes no requests. */
export const checkPublicURL = async ({ publicURL, trustedOrigins, trustedProxies }: HttpConfig): Promise<Finding[]> => [
	...checkScheme(publicURL),
	...trustedOrigins.flatMap(checkOrigin),
	...checkProxies(publicURL, trustedProxies),
];

const checkScheme = (publicURL: string): Finding[] => {
	if (new URL(publicURL).protocol === "https:") return [ok(`${publicURL}: cookies are sent over https only`)];
	const exposure = findPlainHttp({ publicURL });
	return [
		exposure
			? wrong(exposure.says, exposure.fix)
			: warning(`${publicURL} is for development only: cookies are sent without TLS`, "Use https in AUTH_URL."),
	];
};

const checkOrigin = (origin: string): Finding[] => {
	const { protocol, hostname } = new URL(origin.replace("://*.", "://star."));
	if (protocol === "http:" && !isLoopbackHost(hostname))
		return [
			warning(
				`TRUSTED_ORIGINS contains ${origin}: an attacker on the network can act as that page`,
				"Serve the page over https, and use https in its origin.",
			),
		];
	return [];
};

const checkProxies = (publicURL: string, proxies: string[]): Finding[] => {
	const exposure = findForgers({ trustedProxies: proxies });
	if (exposure) return [wrong(exposure.says, exposure.fix)];
	// this process speaks plain http, so a proxy must terminate TLS
	if (publicURL.startsWith("https:") && proxies.length === 0)
		return [
			warning(
				"TRUSTED_PROXIES is empty: all callers appear with your proxy's address and share one rate limit",
				"Set the proxy's address, such as 10.0.0.7 or 10.0.0.0/24.",
			),
		];
	return [];
};
