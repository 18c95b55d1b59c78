import type { HttpConfig } from "../config/http.ts";
import type { TenantsConfig } from "../config/tenants.ts";

/** The host names of the platform: that of AUTH_URL, and PLATFORM_HOSTS. A tenant has none of them. */
export const platformHosts = (
	{ publicURL }: Pick<HttpConfig, "publicURL">,
	tenants: Pick<TenantsConfig, "platformHosts">,
) => [new URL(publicURL).hostname, ...tenants.platformHosts];

/** A host without its port. */
export const hostName = (host: string): string => host.replace(/:\d+$/, "");
