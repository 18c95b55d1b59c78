import type { OAuthProvider } from "@better-auth/core/oauth2";
import { defineService } from "../../engine/service.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import type { Authority } from "./account-authority.ts";
import { createCallBounds } from "./bounded-provider.ts";
import { brokenProvider, buildFallback, buildOwn, forTenant, type TenantProvider } from "./build-provider.ts";
import type { OauthConfigStore, OpenedConfig } from "./config-store.ts";

export type TenantProviders = ReturnType<typeof createTenantProviders>;

/** The providers of tenants. */
export const tenantProvidersOf = defineService<TenantProviders>("providers");

type LoadWith = {
	storeOf: (tenantId: string) => Pick<OauthConfigStore, "open" | "openEnabled">;
	cache: { maxAge: number; maxSize: number };
	providerTimeout: number;
	allowPrivateHosts: boolean;
	/** the authority of an application's generic OAuth provider; null for any other provider */
	genericAuthority: (providerId: string) => Authority;
	/** whether the application set a redirect URI for its generic OAuth provider */
	genericRedirect: (providerId: string) => boolean;
	/** the base URL of `oauth.callbackHost`, if set */
	callbackBase: string | null;
	/** called for credentials that cannot be used; receives no part of them */
	onUnusable: (config: { tenantId: string; providerId: string }) => void;
};

/**
 * The providers that a tenant's users can use: those with enabled credentials of the tenant, then the application's own.
 * Loads them with one query and caches them as long as tenants.
 */
export const createTenantProviders = ({
	storeOf,
	cache,
	providerTimeout,
	allowPrivateHosts,
	genericAuthority,
	genericRedirect,
	callbackBase,
	onUnusable,
}: LoadWith) => {
	const loaded = new BoundedCache<OpenedConfig[]>(cache);
	const open = (tenantId: string): Promise<OpenedConfig[]> =>
		loaded.getOrLoad(tenantId, async () => {
			const configs = await storeOf(tenantId).openEnabled();
			for (const { providerId, credentials } of configs) if (!credentials) onUnusable({ tenantId, providerId });
			return configs;
		});
	/** Built providers, reused while the configs are cached and the application's own providers do not change. */
	const built = new WeakMap<OpenedConfig[], { global: OAuthProvider[]; providers: TenantProvider[] }>();
	const buildOnce = (tenantId: string, configs: OpenedConfig[], global: OAuthProvider[]): TenantProvider[] => {
		const known = built.get(configs);
		if (known && isSameList(known.global, global)) return known.providers;
		const own = configs.map((config) => {
			const provider = buildOne(config, global);
			if (!provider && config.credentials) onUnusable({ tenantId, providerId: config.providerId });
			return provider ?? brokenProvider(config);
		});
		// a config that cannot be used still replaces the global provider, which its tenant did not choose
		const ids = new Set(own.map(({ id }) => id));
		const fallback = global
			.filter(({ id }) => !ids.has(id))
			.map((provider) =>
				buildFallback(provider, genericAuthority(provider.id), { hasOwnRedirectURI: genericRedirect(provider.id) }),
			);
		const providers = [...own, ...fallback];
		built.set(configs, { global: [...global], providers });
		return providers;
	};
	return {
		load: async (tenantId: string, global: OAuthProvider[], { fresh = false } = {}): Promise<TenantProvider[]> => {
			if (fresh) loaded.delete(tenantId);
			const providers = buildOnce(tenantId, await open(tenantId), global);
			const bounds = createCallBounds(providerTimeout, allowPrivateHosts);
			return providers.map((provider) => forTenant(provider, tenantId, { bounds, callbackBase }));
		},
		/**
		 * The provider of one config, read from the database, also if the config is disabled. Null if the tenant has none: the
		 * application's own provider does not replace it. Throws if the credentials cannot be decrypted.
		 */
		loadOwn: async (tenantId: string, providerId: string, global: OAuthProvider[]): Promise<TenantProvider | null> => {
			const config = await storeOf(tenantId).open(providerId);
			const bounds = createCallBounds(providerTimeout, allowPrivateHosts);
			return (
				config && forTenant(buildOne(config, global) ?? brokenProvider(config), tenantId, { bounds, callbackBase })
			);
		},
		/** The providers for which a tenant has its own usable credentials. */
		listIds: async (tenantId: string): Promise<string[]> => {
			const configs = await open(tenantId);
			return configs.filter(({ credentials }) => credentials !== null).map(({ providerId }) => providerId);
		},
		forget: (tenantId: string): void => loaded.delete(tenantId),
	};
};

const buildOne = (config: OpenedConfig, global: OAuthProvider[]): TenantProvider | null =>
	buildOwn(
		config,
		global.find(({ id }) => id === config.providerId),
	);

const isSameList = (one: OAuthProvider[], other: OAuthProvider[]): boolean =>
	one.length === other.length && one.every((provider, at) => provider === other[at]);

/** The application's own providers. */
export const globalProvidersOf = defineService<() => OAuthProvider[]>("globalProviders");
