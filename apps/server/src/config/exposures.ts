import { isLoopbackHost } from "@better-auth/core/utils/host";
import type { HttpConfig } from "./http.ts";

/** What lets others read or forge requests. Said at startup and by doctor. */
export type Exposure = { says: string; fix: string };

/** Passwords and cookies without TLS, beyond this machine. */
export const findPlainHttp = ({ publicURL }: Pick<HttpConfig, "publicURL">): Exposure | null => {
	const { protocol, hostname } = new URL(publicURL);
	if (protocol === "https:" || isLoopbackHost(hostname)) return null;
	return {
		says: `${publicURL} is plain http: passwords and session cookies can be read in transit`,
		fix: "Put a TLS proxy in front, and use https in AUTH_URL.",
	};
};

/** Networks with fewer bits are nobody's own. An IPv4 network can be written as an IPv6 one. */
const leastBits = (network: string): number => (/^::ffff:/i.test(network) ? 104 : network.includes(":") ? 16 : 8);

/** A network so large that callers are in it. */
export const findForgers = ({ trustedProxies }: Pick<HttpConfig, "trustedProxies">): Exposure | null => {
	const wide = trustedProxies.find((proxy) => {
		const [, bits] = /\/(\d+)$/.exec(proxy) ?? [];
		return bits !== undefined && Number(bits) < leastBits(proxy);
	});
	if (wide === undefined) return null;
	return {
		says: `TRUSTED_PROXIES contains ${wide}: any caller can claim any address and bypass rate limits`,
		fix: "List only the addresses of your own proxies.",
	};
};
