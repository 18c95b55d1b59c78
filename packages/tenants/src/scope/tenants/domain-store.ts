import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import type { RawAdapter } from "../data/raw-adapter.ts";
import type { TenantDomain } from "./tenant-domain.ts";

export type DomainStore = ReturnType<typeof createDomainStore>;

const MODEL = "tenantDomain";
/** Bounds the list, which has no pages. */
const MAX_PER_TENANT = 100;

/** Stores the domains of tenants. Domains must be normalized. Uses the unscoped adapter: a domain has one owner of all. */
export const createDomainStore = (adapter: RawAdapter) => {
	const find = async (domain: string): Promise<TenantDomain | null> => {
		const row = await adapter.findOne<TenantDomain>({ model: MODEL, where: [{ field: "domain", value: domain }] });
		return row && row.domain === domain ? row : null;
	};

	/** The domain if this tenant has it already. Throws if another tenant has it. */
	const findOwn = async (tenantId: string, domain: string): Promise<TenantDomain | null> => {
		const row = await find(domain);
		if (row && row.tenantId !== tenantId) throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.DOMAIN_TAKEN);
		return row;
	};

	return {
		find,
		/** Adds a domain. Returns the existing one if the tenant has it already. */
		add: async (tenantId: string, domain: string): Promise<TenantDomain> => {
			const own = await findOwn(tenantId, domain);
			if (own) return own;
			if ((await adapter.count({ model: MODEL, where: [ofTenant(tenantId)] })) >= MAX_PER_TENANT)
				throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.TOO_MANY_DOMAINS);
			try {
				return await adapter.create<TenantDomain, TenantDomain>({
					model: MODEL,
					data: { tenantId, domain, createdAt: new Date() },
				});
			} catch (error) {
				// the unique index decides between parallel calls
				const winner = await findOwn(tenantId, domain);
				if (winner) return winner;
				throw error;
			}
		},
		list: (tenantId: string): Promise<TenantDomain[]> =>
			adapter.findMany<TenantDomain>({
				model: MODEL,
				where: [ofTenant(tenantId)],
				sortBy: { field: "domain", direction: "asc" },
				limit: MAX_PER_TENANT,
			}),
		/** Removes a domain of this tenant. Returns whether the tenant had it. */
		remove: async (tenantId: string, domain: string): Promise<boolean> =>
			(await adapter.deleteMany({
				model: MODEL,
				where: [
					{ field: "domain", value: domain },
					{ ...ofTenant(tenantId), connector: "AND" },
				],
			})) > 0,
	};
};

const ofTenant = (tenantId: string): Where => ({ field: "tenantId", value: tenantId });
