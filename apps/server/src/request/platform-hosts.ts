import type { HttpConfig } from "../config/http.ts";
import type { TenantsConfig } from "../config/tenants.ts";

/** The host names of the platform: that of AUTH_URL, PLATFORM_HOSTS and OAUTH_CALLBACK_HOST. A tenant has none of them. */
export const platformHosts = (
	{ publicURL }: Pick<HttpConfig, "publicURL">,
	{ platformHosts, callbackHost }: Pick<TenantsConfig, "platformHosts" | "callbackHost">,
) => [new URL(publicURL).hostname, ...platformHosts, ...(callbackHost === null ? [] : [callbackHost])];

/** A host without its port. */
export const hostName = (host: string): string => host.replace(/:\d+$/, "");
