import { type FindTenantId, findBy } from "./find-by.ts";
import type { ResolveTenantId } from "./hint.ts";
import type { HostRules } from "./host-rules.ts";
import { readHosts } from "./platform-hosts.ts";
import { resolveWith } from "./resolve-with.ts";

/**
 * Options of `fromSubdomain`.
 *
 * @example
 * ```ts
 * const resolveTenantId = fromSubdomain({ domain: "app.example.com", platformHosts: ["www.app.example.com"] });
 * ```
 */
type SubdomainOptions = {
	/** The parent domain of the tenants' subdomains: `app.example.com` for `acme.app.example.com`. It stays the platform's. */
	domain: string;
	/**
	 * Other hosts of the platform. No tenant can have one of them as its subdomain or domain.
	 * @default []
	 */
	platformHosts?: string[];
	/**
	 * Returns the id of the tenant with this slug, or nothing if there is none. Runs several times per request, so cache it.
	 * @default looks the slug up in the database, cached by `tenantCache`
	 */
	findTenantId?: FindTenantId;
};

/**
 * Resolves the tenant from the host name `<slug>.<domain>`. The domain itself and `platformHosts` stay the platform's.
 * Every other host is rejected with 404 `TENANT_NOT_FOUND`. Requires a dynamic `baseURL`.
 *
 * Costs one query per slug, process and `tenantCache.maxAge`.
 *
 * @example
 * ```ts
 * betterAuth({
 * 	baseURL: { allowedHosts: ["app.example.com"], fallback: "https://app.example.com", protocol: "https" },
 * 	plugins: [tenantAuth({ resolveTenantId: fromSubdomain({ domain: "app.example.com" }) })],
 * });
 * ```
 */
export const fromSubdomain = ({ domain, platformHosts = [], findTenantId }: SubdomainOptions): ResolveTenantId => {
	const [apex = ""] = readHosts("fromSubdomain: domain", [domain]);
	const suffix = `.${apex}`;
	const platform = new Set([apex, ...readHosts("fromSubdomain: platformHosts", platformHosts)]);
	const hosts: HostRules = {
		isPlatform: (host) => platform.has(host),
		covers: (host) => host === apex || host.endsWith(suffix),
		findOwner: (host, tenants) => {
			const slug = host.endsWith(suffix) ? host.slice(0, -suffix.length) : "";
			return slug === "" || slug.includes(".") ? null : findBy("bySlug", findTenantId, tenants)(slug);
		},
		hostsOf: ({ slug }) => [`${slug}${suffix}`],
		reservedSlugs: [...platform].filter((host) => host.endsWith(suffix)).map((host) => host.slice(0, -suffix.length)),
		example: `no-such-tenant${suffix}`,
	};
	return Object.assign(resolveWith(hosts), { hosts });
};
