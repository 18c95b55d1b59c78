import type { TenantLookup } from "../../resolve/tenant-lookup.ts";

/** What resolvers get from the plugin, besides the request. */
export type ResolverTools = {
	tenants: TenantLookup;
	/** whether the application trusts `X-Forwarded-Host` (`advanced.trustedProxyHeaders`) */
	trustsForwarded: boolean;
	/** the host of `baseURL.fallback`, if the resolver reads hosts */
	platformHost: string | undefined;
};

/** The key under which the context keeps it. Each instance of Better Auth has its own. */
export const RESOLVER_TOOLS = Symbol("resolver-tools");

export const resolverToolsOf = (context: object): ResolverTools | undefined =>
	RESOLVER_TOOLS in context ? (context[RESOLVER_TOOLS] as ResolverTools) : undefined;
