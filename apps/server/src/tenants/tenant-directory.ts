import { AsyncLocalStorage } from "node:async_hooks";

export type TenantEntry = {
	id: string;
	slug: string;
	name: string;
	/** `mail` in its metadata, as it is stored. Only this is cached */
	mail?: unknown;
};

/** Looks a tenant up; null if it does not exist. */
export type FindTenant = (named: { id: string } | { slug: string }) => Promise<TenantEntry | null>;

export type TenantDirectory = ReturnType<typeof createTenantDirectory>;

type Options = {
	find: FindTenant;
	/** seconds */
	maxAge: number;
	maxSize?: number;
	counters?: { hit(): void; miss(): void } | undefined;
};

/**
 * Caches tenants by id and slug for subdomains, paths and mails. The number of entries is bounded and each expires
 * after `maxAge`. Unknown names are cached too.
 */
export const createTenantDirectory = ({ find, maxAge, maxSize = 10_000, counters }: Options) => {
	const known = new Map<string, { tenant: TenantEntry | null; until: number }>();
	const loading = new Map<string, Promise<TenantEntry | null>>();
	// a lookup may be shared, so it must not run in the tenant or transaction of the request that started it
	const outsideOfRequests = AsyncLocalStorage.snapshot();

	const keep = (key: string, tenant: TenantEntry | null): void => {
		if (maxAge <= 0) return;
		known.delete(key);
		const oldest = known.size >= maxSize ? known.keys().next().value : undefined;
		if (oldest !== undefined) known.delete(oldest);
		known.set(key, { tenant, until: Date.now() + maxAge * 1000 });
	};

	const load = async (key: string, named: Parameters<FindTenant>[0]): Promise<TenantEntry | null> => {
		try {
			const tenant = await outsideOfRequests(find, named);
			keep(key, tenant);
			return tenant;
		} finally {
			loading.delete(key);
		}
	};

	const lookUp = async (key: string, named: Parameters<FindTenant>[0]): Promise<TenantEntry | null> => {
		const entry = known.get(key);
		if (entry && entry.until > Date.now()) {
			counters?.hit();
			return entry.tenant;
		}
		counters?.miss();
		const underWay = loading.get(key) ?? load(key, named);
		loading.set(key, underWay);
		return underWay;
	};

	return {
		byId: (id: string) => lookUp(`id:${id}`, { id }),
		bySlug: (slug: string) => lookUp(`slug:${slug}`, { slug }),
	};
};
