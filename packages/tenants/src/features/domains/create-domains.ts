import type { AuthContext } from "@better-auth/core";
import type { HostRules } from "../../resolve/host-rules.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { createCachedLookup, forgettingSlugs } from "../../scope/tenants/cached-lookup.ts";
import { createDomainStore } from "../../scope/tenants/domain-store.ts";
import type { HandedToResolvers } from "../../scope/tenants/handed-to-resolvers.ts";
import { createHosts } from "../../scope/tenants/hosts.ts";
import type { KnownTenants } from "../../scope/tenants/known-tenants.ts";
import { createTenantStore } from "../../scope/tenants/tenant-store.ts";
import { createManagedDomains } from "./managed-domains.ts";

type With = {
	adapter: RawAdapter;
	known: KnownTenants;
	options: AuthContext["options"];
	cache: { maxAge: number; maxSize: number };
	rules: HostRules | undefined;
};

/** Creates the store of tenants, their domains, and the lookup that resolvers receive. */
export const createDomains = ({ adapter, known, options, cache, rules }: With) => {
	const store = createTenantStore(adapter);
	const domains = createDomainStore(adapter);
	const { lookup, forgetSlug, forgetDomain } = createCachedLookup({ tenants: store, domains, cache });
	const hosts = rules ? createHosts(rules, options) : null;
	const handed: HandedToResolvers = {
		tenants: lookup,
		trustsForwarded: options.advanced?.trustedProxyHeaders ?? false,
		platformHost: hosts?.home,
	};
	return {
		tenants: forgettingSlugs(store, forgetSlug),
		hosts,
		handed,
		domainStore: domains,
		domains: createManagedDomains({
			known,
			tenants: store,
			domains,
			isReserved: (domain) => hosts?.isReserved(domain) ?? false,
			forget: forgetDomain,
		}),
	};
};
