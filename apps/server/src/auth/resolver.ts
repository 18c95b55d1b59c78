import { APIError } from "better-auth/api";
import { type ResolveTenantId, TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import { firstOf, fromCustomDomain, fromSubdomain } from "better-auth-tenants/resolvers";
import type { HttpConfig } from "../config/http.ts";
import type { TenantsConfig } from "../config/tenants.ts";
import { currentRequest } from "../lib/request-context.ts";
import { platformHosts } from "../request/platform-hosts.ts";
import type { TenantDirectory } from "../tenants/tenant-directory.ts";
import type { Domains } from "./domains-file.ts";
import { twoTenants } from "./two-tenants.ts";

type ResolverWith = {
	tenants: TenantsConfig;
	directory: Pick<TenantDirectory, "bySlug">;
	domains: Domains | null;
	http: Pick<HttpConfig, "publicURL">;
};

/**
 * Resolves the tenant from what the configuration allows besides body, query and header; null if it allows nothing
 * else. All resolvers run and must agree. Otherwise the first result would be the tenant while mails contain the host
 * of another.
 */
export const createResolver = (parts: ResolverWith): ResolveTenantId | null => {
	const { tenants, directory } = parts;
	const byHost = createHostResolver(parts);
	const resolvers: Partial<Record<TenantsConfig["resolvers"][number], ResolveTenantId>> = {
		// set by a gateway and takes precedence over body and query; the package's own header comes after them
		header: ({ request, headers }) => (headers ?? request?.headers)?.get(tenants.resolverHeader),
		// the tenant path is removed before the engine sees the URL
		path: async () => {
			const slug = currentRequest()?.tenantSlug;
			if (!slug) return null;
			const tenant = await directory.bySlug(slug);
			// a tenant path never falls back to the platform, even if the tenant does not exist
			if (!tenant) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			return tenant.id;
		},
	};
	const chosen = [...(byHost ? [byHost] : []), ...tenants.resolvers.flatMap((name) => resolvers[name] ?? [])];
	if (chosen.length === 0) return null;
	const resolve: ResolveTenantId = async (request) => {
		const named = new Set<string>();
		for (const resolve of chosen) named.add((await resolve(request)) || "");
		named.delete("");
		if (named.size > 1) throw twoTenants();
		return named.values().next().value ?? null;
	};
	return byHost?.hosts ? Object.assign(resolve, { hosts: byHost.hosts }) : resolve;
};

/** Hosts of tenants, as the package rules them: every other host is refused unless it is the platform's. */
const createHostResolver = ({ tenants, directory, domains, http }: ResolverWith): ResolveTenantId | null => {
	const { resolvers } = tenants;
	// a domains file that names one of them would move all its requests to a tenant
	const hosts = { platformHosts: platformHosts(http, tenants) };
	const byDomain = fromCustomDomain({
		...hosts,
		// without a file, the domains of /tenant/domain/add
		...(tenants.domainsFile
			? {
					findTenantId: (host) => domains?.findTenantId(host),
					listDomains: async (tenantId) => (await domains?.listDomains(tenantId)) ?? [],
				}
			: {}),
	});
	const chosen = [
		...(resolvers.includes("custom-domain") ? [byDomain] : []),
		...(resolvers.includes("subdomain")
			? [
					fromSubdomain({
						domain: tenants.domain,
						...hosts,
						findTenantId: async (slug) => (await directory.bySlug(slug))?.id,
					}),
				]
			: []),
	];
	return chosen.length > 0 ? firstOf(...chosen) : null;
};
