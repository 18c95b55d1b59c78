import { AsyncLocalStorage } from "node:async_hooks";

export type TenantEntry = { id: string; slug: string; name: string };

/** Asks the engine; it answers nothing where there is no such tenant. */
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
 * Tenants by id and by slug, for what needs more of them than their id: subdomains, paths, mails. It knows a bounded
 * number of them, none for longer than `maxAge`, and remembers for as long that a name is nobody's.
 */
export const createTenantDirectory = ({ find, maxAge, maxSize = 10_000, counters }: Options) => {
	const known = new Map<string, { tenant: TenantEntry | null; until: number }>();
	const loading = new Map<string, Promise<TenantEntry | null>>();
	// a look-up belongs to no request: it must not run in the tenant or in the transaction of the one that happens to ask
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
