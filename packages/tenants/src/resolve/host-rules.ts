import type { TenantLookup } from "./tenant-lookup.ts";

type TenantId = string | null | undefined;

/** A tenant and the domains that operators added to it. */
export type HostedTenant = { id: string; slug: string; domains: readonly string[] };

/**
 * Which hosts belong to tenants. A resolver that reads the host declares it, and the plugin applies it to every request:
 * a host that is neither a tenant's nor the platform's is rejected. All hosts are normalized.
 */
export type HostRules = {
	/** Whether a host stays the platform's. */
	isPlatform: (host: string) => boolean;
	/** Whether only these rules decide about a host. No tenant can claim it as a domain. */
	covers: (host: string) => boolean;
	/** Finds the tenant that a host belongs to. Not called for the platform's hosts. */
	findOwner: (host: string, tenants: TenantLookup | undefined) => TenantId | Promise<TenantId>;
	/** The hosts that a tenant may have, the main one first. `findOwner` decides whether it has them. */
	hostsOf: (tenant: HostedTenant) => readonly string[] | Promise<readonly string[]>;
	/** Slugs that are the first label of a platform host. */
	reservedSlugs: readonly string[];
	/** A host of a tenant that nobody has, to check patterns. Null if tenants can have any host. */
	example: string | null;
};

/** Combines the rules of several resolvers. Undefined if no resolver reads the host. */
export const combineHostRules = (all: readonly HostRules[]): HostRules | undefined => {
	const [only, ...more] = all;
	if (more.length === 0) return only;
	return {
		isPlatform: (host) => all.some((rules) => rules.isPlatform(host)),
		covers: (host) => all.some((rules) => rules.covers(host)),
		findOwner: async (host, tenants) => {
			// a domain that a tenant claimed must not override the subdomain of another tenant
			const covering = all.filter((rules) => rules.covers(host));
			for (const rules of covering.length > 0 ? covering : all) {
				const owner = await rules.findOwner(host, tenants);
				if (owner) return owner;
			}
			return null;
		},
		hostsOf: async (tenant) => (await Promise.all(all.map((rules) => rules.hostsOf(tenant)))).flat(),
		reservedSlugs: all.flatMap((rules) => rules.reservedSlugs),
		example: all.find((rules) => rules.example !== null)?.example ?? null,
	};
};
