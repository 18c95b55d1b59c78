import { APIError } from "@better-auth/core/error";
import { defineService } from "../../engine/service.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { normalizeDomain } from "../../resolve/host-name.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { DomainStore } from "../../scope/tenants/domain-store.ts";
import type { KnownTenants } from "../../scope/tenants/known-tenants.ts";
import type { TenantDomain } from "../../scope/tenants/tenant-domain.ts";
import type { TenantStore } from "../../scope/tenants/tenant-store.ts";

export type ManagedDomains = ReturnType<typeof createManagedDomains>;

/** The domains of tenants. */
export const domainsOf = defineService<ManagedDomains>("domains");

type ManageWith = {
	known: Pick<KnownTenants, "admits">;
	tenants: Pick<TenantStore, "findKept">;
	domains: DomainStore;
	/** whether a host belongs to the platform, or to the subdomains of tenants */
	isReserved: (domain: string) => boolean;
	/** a change takes effect at once in this process */
	forget: (domain: string) => void;
};

/** The management endpoints' access to the domains of one tenant. Throws for a missing tenant. */
export const createManagedDomains = ({ known, tenants, domains, isReserved, forget }: ManageWith) => {
	const assertOpen = async (tenantId: string): Promise<void> => {
		if (tenantId === PLATFORM || !(await known.admits(tenantId)))
			throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	};
	const changing = async <Result>(domain: string, write: () => Promise<Result>): Promise<Result> => {
		try {
			return await write();
		} finally {
			forget(domain);
		}
	};
	return {
		add: async (tenantId: string, typed: string): Promise<TenantDomain> => {
			await assertOpen(tenantId);
			const domain = normalizeDomain(typed);
			// a subdomain is another tenant's, or becomes one's when its slug is taken
			if (domain === null || isReserved(domain))
				throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_DOMAIN);
			return changing(domain, () => domains.add(tenantId, domain));
		},
		list: async (tenantId: string): Promise<TenantDomain[]> => {
			// operators can read a suspended tenant
			if (tenantId === PLATFORM || !(await tenants.findKept({ id: tenantId })))
				throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			return domains.list(tenantId);
		},
		remove: async (tenantId: string, typed: string): Promise<void> => {
			await assertOpen(tenantId);
			const domain = normalizeDomain(typed);
			const removed = domain !== null && (await changing(domain, () => domains.remove(tenantId, domain)));
			// the same for another tenant's domain and for one that nobody has
			if (!removed) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.DOMAIN_NOT_FOUND);
		},
	};
};
