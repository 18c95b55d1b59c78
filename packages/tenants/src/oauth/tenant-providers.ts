import type { OAuthProvider } from "@better-auth/core/oauth2";
import { BoundedCache } from "../scope/bounded-cache.ts";
import type { Authority } from "./authority.ts";
import { createCallBounds } from "./bounded-provider.ts";
import { brokenProvider, buildFallback, buildOwn, forTenant, type TenantProvider } from "./build-provider.ts";
import type { OauthConfigStore, OpenedConfig } from "./config-store.ts";

export type TenantProviders = ReturnType<typeof createTenantProviders>;

type LoadWith = {
	storeOf: (tenantId: string) => Pick<OauthConfigStore, "openEnabled">;
	cache: { maxAge: number; maxSize: number };
	providerTimeout: number;
	allowPrivateHosts: boolean;
	/** of the application's generic OAuth providers; null for any other */
	genericAuthority: (providerId: string) => Authority;
	/** told of credentials that cannot be used; whose they are, never what they are */
	onUnusable: (config: { tenantId: string; providerId: string }) => void;
};

/**
 * The providers one tenant's people can use: those it has enabled credentials for, then the application's own ones.
 * Loaded with one statement and kept for as long as tenants are.
 */
export const createTenantProviders = ({
	storeOf,
	cache,
	providerTimeout,
	allowPrivateHosts,
	genericAuthority,
	onUnusable,
}: LoadWith) => {
	const loaded = new BoundedCache<OpenedConfig[]>(cache);
	const open = (tenantId: string): Promise<OpenedConfig[]> =>
		loaded.getOrLoad(tenantId, async () => {
			const configs = await storeOf(tenantId).openEnabled();
			for (const { providerId, credentials } of configs) if (!credentials) onUnusable({ tenantId, providerId });
			return configs;
		});
	/** What was built of a tenant's configs, for as long as they are kept and the application's own providers stay the same. */
	const built = new WeakMap<OpenedConfig[], { global: OAuthProvider[]; providers: TenantProvider[] }>();
	const buildOnce = (tenantId: string, configs: OpenedConfig[], global: OAuthProvider[]): TenantProvider[] => {
		const known = built.get(configs);
		if (known && isSameList(known.global, global)) return known.providers;
		const own = configs.map((config) => {
			const provider = buildOwn(
				config,
				global.find(({ id }) => id === config.providerId),
			);
			if (!provider && config.credentials) onUnusable({ tenantId, providerId: config.providerId });
			return provider ?? brokenProvider(config);
		});
		// a config that cannot be used stands in the way of the global provider: its tenant did not choose that one
		const ids = new Set(own.map(({ id }) => id));
		const fallback = global
			.filter(({ id }) => !ids.has(id))
			.map((provider) => buildFallback(provider, genericAuthority(provider.id)));
		const providers = [...own, ...fallback];
		built.set(configs, { global: [...global], providers });
		return providers;
	};
	return {
		load: async (tenantId: string, global: OAuthProvider[], { fresh = false } = {}): Promise<TenantProvider[]> => {
			if (fresh) loaded.delete(tenantId);
			const providers = buildOnce(tenantId, await open(tenantId), global);
			const bounds = createCallBounds(providerTimeout, allowPrivateHosts);
			return providers.map((provider) => forTenant(provider, tenantId, bounds));
		},
		/** The providers a tenant has credentials of its own for, and that can be used. */
		listIds: async (tenantId: string): Promise<string[]> => {
			const configs = await open(tenantId);
			return configs.filter(({ credentials }) => credentials !== null).map(({ providerId }) => providerId);
		},
		forget: (tenantId: string): void => loaded.delete(tenantId),
	};
};

const isSameList = (one: OAuthProvider[], other: OAuthProvider[]): boolean =>
	one.length === other.length && one.every((provider, at) => provider === other[at]);
