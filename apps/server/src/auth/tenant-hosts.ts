import type { BetterAuthPlugin } from "better-auth";
import type { TenantsConfig } from "../config/tenants.ts";
import type { Domains } from "./domains-file.ts";
import type { TenantDirectory } from "./tenant-directory.ts";
import { unavailableResponse } from "./unavailable.ts";

type HostsWith = {
	publicURL: string;
	basePath: string;
	tenants: TenantsConfig;
	directory: Pick<TenantDirectory, "bySlug">;
	domains: Domains | null;
};

/**
 * Keeps people on the host they came to, where it is a tenant's own: cookies are that host's, so mail links, redirects and
 * callback URLs have to lead back to it. Any other host changes nothing, whatever a caller writes into `Host`.
 *
 * The engine's `baseURL: { allowedHosts }` does the same and trusts each of these hosts in each tenant: whoever owns one
 * domain could have another tenant's password resets sent there. Here a host is trusted in its own requests only.
 */
export const tenantHosts = ({ publicURL, basePath, tenants, directory, domains }: HostsWith): BetterAuthPlugin => {
	const suffix = `.${tenants.domain.toLowerCase()}`;
	const isTenantHost = async (host: string): Promise<boolean> => {
		if (tenants.resolvers.includes("subdomain") && host.endsWith(suffix)) {
			const slug = host.slice(0, -suffix.length);
			return slug !== "" && !slug.includes(".") && (await directory.bySlug(slug)) !== null;
		}
		return domains !== null && (await domains.tenantIdOf(host)) !== null;
	};
	return {
		id: "tenant-hosts",
		onRequest: async (request, context) => {
			const host = URL.parse(request.url)?.hostname ?? "";
			try {
				if (host === "" || !(await isTenantHost(host))) return undefined;
			} catch {
				return { response: unavailableResponse() };
			}
			const url = new URL(publicURL);
			url.hostname = host;
			// the engine copies its context for each request, so this reaches no other one
			context.baseURL = `${url.origin}${basePath}`;
			context.options = { ...context.options, baseURL: url.origin };
			context.trustedOrigins = [url.origin, ...context.trustedOrigins];
			return undefined;
		},
	};
};
