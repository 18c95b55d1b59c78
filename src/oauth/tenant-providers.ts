import type { OAuthProvider } from "@better-auth/core/oauth2";
import { socialProviders } from "better-auth/social-providers";
import { BoundedCache } from "../scope/bounded-cache.ts";
import { withTag } from "../scope/tag.ts";
import { isBuiltInProvider } from "./config-input.ts";
import type { OauthConfigStore, OpenedConfig } from "./config-store.ts";

/** Where a provider's credentials come from: one version of a tenant's config, or the application's own. */
export type CredentialSource = string;
export const GLOBAL_CREDENTIALS: CredentialSource = "global";

export type TenantProvider = OAuthProvider & { credentialSource: CredentialSource };

export type TenantProviders = ReturnType<typeof createTenantProviders>;

/**
 * The providers one tenant's people can use: those it has enabled credentials for, then the application's own ones.
 * Loaded with one statement and kept for as long as tenants are.
 */
export const createTenantProviders = (
	storeOf: (tenantId: string) => OauthConfigStore,
	cache: { maxAge: number; maxSize: number },
) => {
	const loaded = new BoundedCache<TenantProvider[]>(cache);
	return {
		load: async (tenantId: string, global: OAuthProvider[], { fresh = false } = {}): Promise<TenantProvider[]> => {
			const known = fresh ? undefined : loaded.get(tenantId);
			const own =
				known ?? (await storeOf(tenantId).openEnabled()).map(buildProvider).filter((provider) => provider !== null);
			if (!known) loaded.set(tenantId, own);
			const ids = new Set(own.map(({ id }) => id));
			const fallback = global
				.filter(({ id }) => !ids.has(id))
				.map((provider) => ({ ...provider, credentialSource: GLOBAL_CREDENTIALS }));
			return [...own, ...fallback].map((provider) => forTenant(provider, tenantId));
		},
		forget: (tenantId: string): void => loaded.delete(tenantId),
	};
};

/** The engine's own provider, with the tenant's credentials. Null for one that this engine no longer has. */
const buildProvider = ({
	providerId,
	version,
	clientId,
	clientSecret,
	options,
	scopes,
	redirectURI,
}: OpenedConfig): TenantProvider | null => {
	if (!isBuiltInProvider(providerId)) return null;
	const build = socialProviders[providerId] as (options: Record<string, unknown>) => OAuthProvider;
	const provider = build({
		...options,
		clientId,
		clientSecret,
		...(scopes ? { scope: scopes } : {}),
		...(redirectURI ? { redirectURI } : {}),
	});
	return { ...provider, credentialSource: version };
};

/** The provider's redirect comes back to the tenant's callback, with a state that says its tenant. */
const forTenant = (provider: TenantProvider, tenantId: string): TenantProvider => ({
	...provider,
	callbackPath: `/tenant/callback/${provider.id}`,
	createAuthorizationURL: (request) =>
		provider.createAuthorizationURL({ ...request, state: withTag(request.state, tenantId) }),
});
