import { defineService } from "../../engine/service.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { cleanLabel } from "../../lib/clean-label.ts";
import { showTenant, type Tenant } from "./tenant.ts";
import type { TenantStore } from "./tenant-store.ts";

/**
 * How a tenant looks, for its pages: text by name, such as a logo's address, a color or a locale.
 *
 * @example
 * ```ts
 * const branding: TenantBranding = { logo: "https://acme.com/logo.svg", primaryColor: "#0057b8" };
 * ```
 */
export type TenantBranding = { [field: string]: string | undefined };

export type ProfileOptions = {
	branding: ((tenant: Tenant) => TenantBranding | null | undefined) | undefined;
	displayName: ((tenant: Tenant) => string) | undefined;
};

/** What anyone may know of a tenant. */
export type TenantProfile = Pick<Tenant, "id" | "slug" | "name"> & {
	/** Throws what the option `branding` threw for this tenant. */
	readBranding: () => TenantBranding;
	/** how authenticator apps and passkeys name it */
	displayName: string;
};

export type TenantProfiles = ReturnType<typeof createTenantProfiles>["profiles"];

/** What anyone may know of a tenant. */
export const profilesOf = defineService<TenantProfiles>("profiles");

type With = {
	tenants: TenantStore;
	cache: { maxAge: number; maxSize: number };
	inTransaction: () => boolean;
	options: ProfileOptions;
};

/**
 * Finds what is public of a tenant. Keeps only that, never the metadata, for `maxAge` seconds. Returns the store too: its
 * changes take effect at once in this process.
 */
export const createTenantProfiles = ({ tenants, cache, inTransaction, options }: With) => {
	const kept = new BoundedCache<TenantProfile | null>(cache);
	const changing = async <Result>(id: string, write: () => Promise<Result>): Promise<Result> => {
		try {
			return await write();
		} finally {
			kept.delete(id);
		}
	};
	const forgetting: TenantStore = {
		...tenants,
		import: (tenant) => changing(tenant.id, () => tenants.import(tenant)),
		update: (id, changes) => changing(id, () => tenants.update(id, changes)),
	};
	const find = async (id: string): Promise<TenantProfile | null> => {
		const row = await tenants.findOpen({ id });
		return row && describe(showTenant(row), options);
	};
	return {
		tenants: forgetting,
		/** Null if the tenant is not open. Runs one query if the result is not cached. */
		profiles: {
			of: (id: string): Promise<TenantProfile | null> =>
				// what a transaction reads may be rolled back
				kept.getOrLoad(
					id,
					() => find(id),
					(profile) => profile !== null && !inTransaction(),
				),
		},
	};
};

const describe = (tenant: Tenant, { branding, displayName }: ProfileOptions): TenantProfile => {
	const { id, slug, name } = tenant;
	const chosen = displayName?.(tenant) ?? name;
	const readBranding = settled(() => textsOf(branding?.(tenant) ?? {}));
	return { id, slug, name, readBranding, displayName: cleanLabel(chosen) || slug };
};

/** Runs now and throws later: authenticator apps show no branding, so its error must not keep users from a second factor. */
const settled = (run: () => TenantBranding): (() => TenantBranding) => {
	try {
		const branding = run();
		// a copy: server code may change what it gets, and the cached one belongs to all visitors
		return () => ({ ...branding });
	} catch (error) {
		return () => {
			throw error;
		};
	}
};

/** Nothing but text leaves, so a function that returns more than it says publishes no object of the metadata. */
const textsOf = (given: object): TenantBranding =>
	Object.fromEntries(Object.entries(given).filter((field): field is [string, string] => typeof field[1] === "string"));
