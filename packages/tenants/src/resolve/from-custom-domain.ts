import { type FindTenantId, findBy } from "./find-by.ts";
import type { ResolveTenantId } from "./hint.ts";
import type { HostRules } from "./host-rules.ts";
import { readHosts } from "./platform-hosts.ts";
import { resolveWith } from "./resolve-with.ts";

/**
 * Options of `fromCustomDomain`.
 *
 * @example
 * ```ts
 * tenantAuth({ resolveTenantId: fromCustomDomain({ platformHosts: ["admin.example.com"] }) });
 * ```
 */
type CustomDomainOptions = {
	/**
	 * Hosts of the platform, in addition to the host of `baseURL.fallback`. No tenant can have one of them as its domain.
	 * @default []
	 */
	platformHosts?: string[];
	/**
	 * Returns the id of the tenant that owns this host name, or nothing if there is none. Runs several times per request, so
	 * cache it.
	 * @default looks up the domains of `/tenant/domain/add`, cached by `tenantCache`
	 */
	findTenantId?: FindTenantId;
	/**
	 * Returns the host names of a tenant, the main one first. Set it together with `findTenantId`, so that `callbackURLs` of
	 * OAuth configs contain them. Runs when configs are registered and listed.
	 * @default lists the domains of `/tenant/domain/add`, by name
	 */
	listDomains?: (tenantId: string) => readonly string[] | Promise<readonly string[]>;
};

/**
 * Resolves the tenant from the host name of the request, such as `login.acme.com`. Operators add domains with
 * `/tenant/domain/add`. A host that no tenant has and that is not the platform's is rejected with 404 `TENANT_NOT_FOUND`.
 * Requires a dynamic `baseURL`.
 *
 * Costs one query per domain, process and `tenantCache.maxAge`.
 *
 * @example
 * ```ts
 * tenantAuth({ resolveTenantId: firstOf(fromCustomDomain(), fromSubdomain({ domain: "app.example.com" })) });
 * ```
 */
export const fromCustomDomain = ({
	platformHosts = [],
	findTenantId,
	listDomains,
}: CustomDomainOptions = {}): ResolveTenantId => {
	const platform = new Set(readHosts("fromCustomDomain: platformHosts", platformHosts));
	const hosts: HostRules = {
		isPlatform: (host) => platform.has(host),
		covers: (host) => platform.has(host),
		findOwner: (host, tenants) => findBy("byDomain", findTenantId, tenants)(host),
		hostsOf: ({ id, domains }) => listDomains?.(id) ?? domains,
		reservedSlugs: [],
		example: null,
	};
	return Object.assign(resolveWith(hosts), { hosts });
};
