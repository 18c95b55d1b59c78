import type { KnownTenants } from "../../scope/tenants/known-tenants.ts";
import type { TenantLookup } from "../../scope/tenants/tenant-lookup.ts";
import type { Feature } from "../feature.ts";
import type { Management } from "../management/management.ts";
import { addDomain } from "./add-domain.ts";
import { listDomains } from "./list-domains.ts";
import { createManagedDomains, domainsOf } from "./managed-domains.ts";
import { removeDomain } from "./remove-domain.ts";

type Core = { known: KnownTenants; lookup: TenantLookup };

/** The hosts of tenants. */
export const domains = {
	endpoints: ({ management }: { management: Management }) => ({
		addTenantDomain: addDomain(management),
		listTenantDomains: listDomains(management),
		removeTenantDomain: removeDomain(management),
	}),
	start: ({ known, lookup }: Core) => ({
		services: [
			domainsOf.as(
				createManagedDomains({
					known,
					tenants: lookup.store,
					domains: lookup.domains,
					isReserved: (domain) => lookup.hosts?.isReserved(domain) ?? false,
					forget: lookup.forgetDomain,
				}),
			),
		],
	}),
} satisfies Feature;
