import { BoundedCache } from "../../lib/bounded-cache.ts";
import { SLUG } from "../../resolve/slug.ts";
import type { TenantLookup } from "../../resolve/tenant-lookup.ts";
import type { DomainStore } from "./domain-store.ts";
import type { TenantStore } from "./tenant-store.ts";

type With = {
	tenants: Pick<TenantStore, "findKept">;
	domains: Pick<DomainStore, "find">;
	cache: { maxAge: number; maxSize: number };
};

/** The most missing names that are kept. */
const MAX_MISSING = 1_000;

/**
 * Finds tenants by slug and domain for resolvers, suspended ones too: their requests are refused later, with the reason. Keeps what it found for `maxAge` seconds, so a changed slug or domain
 * works everywhere after that time at the latest. Missing names are kept separately: anyone can send them, and must not
 * push out the names that exist.
 */
export const createCachedLookup = ({ tenants, domains, cache }: With) => {
	const found = new BoundedCache<string | null>(cache);
	const missing = new BoundedCache<string | null>({ ...cache, maxSize: Math.min(cache.maxSize, MAX_MISSING) });

	const lookUp = async (key: string, load: () => Promise<string | null>): Promise<string | null> =>
		found.get(key) ??
		missing.getOrLoad(
			key,
			() => found.getOrLoad(key, load, (id) => id !== null),
			(id) => id === null,
		);

	const lookup: TenantLookup = {
		bySlug: async (slug) =>
			SLUG.test(slug) ? lookUp(`slug:${slug}`, async () => (await tenants.findKept({ slug }))?.id ?? null) : null,
		byDomain: (domain) =>
			lookUp(`domain:${domain}`, async () => {
				const owner = await domains.find(domain);
				return owner && ((await tenants.findKept({ id: owner.tenantId }))?.id ?? null);
			}),
	};
	const forget = (key: string): void => {
		found.delete(key);
		missing.delete(key);
	};
	return {
		lookup,
		/** Forgets a name in this process, because its owner changes. */
		forgetSlug: (slug: string): void => forget(`slug:${slug}`),
		forgetDomain: (domain: string): void => forget(`domain:${domain}`),
	};
};

/** The same store. Changes of slugs take effect at once in this process. */
export const forgettingSlugs = (store: TenantStore, forgetSlug: (slug: string) => void): TenantStore => {
	const changing = async <Result>(slugs: (string | undefined)[], write: () => Promise<Result>): Promise<Result> => {
		try {
			return await write();
		} finally {
			for (const slug of slugs) if (slug !== undefined) forgetSlug(slug);
		}
	};
	return {
		...store,
		create: (id, tenant) => changing([tenant.slug], () => store.create(id, tenant)),
		import: (tenant) => changing([tenant.slug], () => store.import(tenant)),
		update: async (id, changes) => {
			if (changes.slug === undefined) return store.update(id, changes);
			const before = await store.find(id);
			return changing([before?.slug, changes.slug], () => store.update(id, changes));
		},
	};
};
