import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { HttpConfig } from "../config/http.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("public url");

/** Whether cookies and passwords travel safely, and whether callers can be told apart. Asks nobody. */
export const checkPublicURL = async ({ publicURL, trustedOrigins, trustedProxies }: HttpConfig): Promise<Finding[]> => [
	...checkScheme(publicURL),
	...trustedOrigins.flatMap(checkOrigin),
	...checkProxies(publicURL, trustedProxies),
];

const checkScheme = (publicURL: string): Finding[] => {
	const { protocol, hostname } = new URL(publicURL);
	if (protocol === "https:") return [ok(`${publicURL}: cookies are sent over https alone`)];
	if (isLoopbackHost(hostname))
		return [
			warning(`${publicURL} is for trying things out: cookies are sent without TLS`, "Give AUTH_URL with https."),
		];
	return [
		wrong(
			`${publicURL} is plain http: everybody on the way reads passwords and session cookies`,
			"Put a proxy with TLS in front, and give AUTH_URL with https.",
		),
	];
};

const checkOrigin = (origin: string): Finding[] => {
	const { protocol, hostname } = new URL(origin.replace("://*.", "://star."));
	if (protocol === "http:" && !isLoopbackHost(hostname))
		return [
			warning(
				`TRUSTED_ORIGINS has ${origin}: whoever stands between can act as that page`,
				"Serve the page over https, and write its origin so.",
			),
		];
	return [];
};

const checkProxies = (publicURL: string, proxies: readonly string[]): Finding[] => {
	const everybody = proxies.find((proxy) => Number(/\/(\d+)$/.exec(proxy)?.[1] ?? 32) < (proxy.includes(":") ? 16 : 8));
	if (everybody)
		return [
			wrong(
				`TRUSTED_PROXIES has ${everybody}: any caller can claim any address, and no rate limit holds`,
				"Name the addresses of your own proxies.",
			),
		];
	// this process speaks plain http, so something in front of it speaks https
	if (publicURL.startsWith("https:") && proxies.length === 0)
		return [
			warning(
				"TRUSTED_PROXIES is empty: all callers have the address of your proxy, and share one rate limit",
				"Name the proxy's address, such as 10.0.0.7 or 10.0.0.0/24.",
			),
		];
	return [];
};
