import type { TenantLookup } from "../../resolve/tenant-lookup.ts";

/** What the plugin hands to resolvers, besides the request. */
export type HandedToResolvers = {
	tenants: TenantLookup;
	/** whether the application trusts `X-Forwarded-Host` (`advanced.trustedProxyHeaders`) */
	trustsForwarded: boolean;
	/** the host of `baseURL.fallback`, if the resolver reads hosts */
	platformHost: string | undefined;
};

/** The key under which the context keeps it. Each instance of Better Auth has its own. */
export const HANDED = Symbol("handed-to-resolvers");

export const handedToResolvers = (context: object): HandedToResolvers | undefined =>
	HANDED in context ? (context[HANDED] as HandedToResolvers) : undefined;
