import type { AuthContext } from "@better-auth/core";
import type { HostRules } from "../../resolve/host-rules.ts";
import type { RawAdapter } from "../data/raw-adapter.ts";
import { createCachedLookup, forgettingSlugs } from "./cached-lookup.ts";
import { createDomainStore } from "./domain-store.ts";
import { createHosts } from "./hosts.ts";
import type { ResolverTools } from "./resolver-tools.ts";
import { createTenantStore } from "./tenant-store.ts";

type With = {
	adapter: RawAdapter;
	options: AuthContext["options"];
	cache: { maxAge: number; maxSize: number };
	rules: HostRules | undefined;
};

export type TenantLookup = ReturnType<typeof createTenantLookup>;

/** Creates the stores of tenants and their domains, and the lookup that resolvers receive. */
export const createTenantLookup = ({ adapter, options, cache, rules }: With) => {
	const store = createTenantStore(adapter);
	const domains = createDomainStore(adapter);
	const { lookup, forgetSlug, forgetDomain } = createCachedLookup({ tenants: store, domains, cache });
	const hosts = rules ? createHosts(rules, options) : null;
	const resolverTools: ResolverTools = {
		tenants: lookup,
		trustsForwarded: options.advanced?.trustedProxyHeaders ?? false,
		platformHost: hosts?.home,
	};
	return { store, tenants: forgettingSlugs(store, forgetSlug), domains, forgetDomain, hosts, resolverTools };
};
