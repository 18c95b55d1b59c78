import { listOauthProviders, type OauthProvider } from "better-auth-tenants/providers";

export type { OauthProvider, OauthProviderOption } from "better-auth-tenants/providers";

const PROVIDERS = listOauthProviders();

/** The providers that tenants can have credentials for, sorted by name. */
export const knownProviders = (offered: string[]): OauthProvider[] =>
	PROVIDERS.filter(({ id }) => offered.includes(id));

export const findProvider = (providerId: string): OauthProvider | undefined =>
	PROVIDERS.find(({ id }) => id === providerId);

export const nameOf = (providerId: string): string => findProvider(providerId)?.name ?? providerId;
