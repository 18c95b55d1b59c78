import { APIError } from "@better-auth/core/error";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { socialProviders } from "better-auth/social-providers";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { withTag } from "../../scope/pin/tag.ts";
import { type Authority, accountIdOf, compareAuthority, globalAuthorityOf, issuerOf } from "./account-authority.ts";
import { outsideBounds } from "./bounded-fetch.ts";
import { boundProvider, type CallBounds } from "./bounded-provider.ts";
import { type CallbackKind, callbackKindOf, callbackPathOf } from "./callback-path.ts";
import { isBuiltInProvider } from "./config-input.ts";
import type { OpenedConfig } from "./config-store.ts";
import { settingsOf } from "./provider-settings.ts";
import { sharedCallbackPath } from "./shared-callback-path.ts";

/** The credential source of the application's own providers. A tenant's source is the version of its config. */
export const GLOBAL_CREDENTIALS = "global";

export type TenantProvider = OAuthProvider & {
	credentialSource: string;
	authority: Authority;
	/** whether the tenant's authority (directory, realm or server) differs from the application's */
	isOwnAuthority: boolean;
	/** whether the tenant could run the provider's server itself */
	isOwnServer: boolean;
	/** whose callback URL its flows end at */
	callbackKind: CallbackKind;
	/** whether it sends a redirect URI of its own, from its config or the application's options */
	hasOwnRedirectURI: boolean;
	/** the redirect URI on `oauth.callbackHost`; null if its flows return to the host where they began */
	sharedRedirectURI: string | null;
};

/** Options of the application's provider that also apply with a tenant's credentials. */
const POLICY = [
	"disableSignUp",
	"disableImplicitSignUp",
	"disableIdTokenSignIn",
	"requireEmailVerification",
	"overrideUserInfoOnSignIn",
	"mapProfileToUser",
];

const policyOf = (global: OAuthProvider | undefined): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries<unknown>(global?.options ?? {})
			.filter(([name]) => POLICY.includes(name))
			.map(([name, value]) => [
				name,
				typeof value === "function" ? unbounded(value as (...given: never[]) => unknown) : value,
			]),
	);

/** The limits for provider calls do not apply to the application's own functions, which a provider may call. */
const unbounded =
	(own: (...given: never[]) => unknown) =>
	(...given: never[]): unknown =>
		outsideBounds(() => own(...given));

/** Builds a provider with the tenant's credentials. Null if they cannot be decrypted or the engine rejects them. */
export const buildOwn = (config: OpenedConfig, global: OAuthProvider | undefined): TenantProvider | null => {
	const { providerId, credentials } = config;
	if (!credentials || !isBuiltInProvider(providerId)) return null;
	const { options, clientId, clientSecret, scopes, redirectURI } = credentials;
	const { authority, isOwnAuthority, isOwnServer } = compareAuthority(providerId, options, global?.options);
	try {
		const provider = build(providerId, {
			...policyOf(global),
			...settingsOf(providerId)?.defaults,
			...options,
			clientId,
			// TikTok's name for it; the engine sends it to every provider that has it
			...(providerId === "tiktok" ? { clientKey: clientId } : {}),
			clientSecret,
			...(scopes ? { scope: scopes } : {}),
			...(redirectURI ? { redirectURI } : {}),
			// a tenant's own server could sign an ID token for any user
			...(isOwnAuthority ? { disableIdTokenSignIn: true } : {}),
		});
		return {
			...provider,
			disableImplicitSignUp: global?.disableImplicitSignUp,
			credentialSource: config.version,
			authority,
			isOwnAuthority,
			isOwnServer,
			callbackKind: callbackKindOf(config.callback, isOwnServer),
			hasOwnRedirectURI: redirectURI !== null,
			sharedRedirectURI: null,
		};
	} catch {
		return null;
	}
};

/** Stands for credentials that cannot be used. This provider rejects every call; the tenant's other providers work. */
export const brokenProvider = ({ providerId, version }: OpenedConfig): TenantProvider => {
	const refuse = async (): Promise<never> => {
		throw APIError.from("INTERNAL_SERVER_ERROR", TENANT_AUTH_ERROR_CODES.OAUTH_CONFIG_UNREADABLE);
	};
	return {
		id: providerId,
		name: providerId,
		accountSubject: refuse,
		createAuthorizationURL: refuse,
		validateAuthorizationCode: refuse,
		getUserInfo: refuse,
		refreshAccessToken: refuse,
		options: { disableIdTokenSignIn: true },
		credentialSource: version,
		authority: null,
		isOwnAuthority: true,
		isOwnServer: true,
		callbackKind: "own",
		hasOwnRedirectURI: false,
		sharedRedirectURI: null,
	};
};

export const buildFallback = (
	provider: OAuthProvider,
	generic: Authority,
	{ hasOwnRedirectURI = false } = {},
): TenantProvider => {
	// the application's redirect URI leads to its own callback, where a tenant's flow must not end
	const { redirectURI, ...options } = provider.options ?? {};
	const built =
		redirectURI && isBuiltInProvider(provider.id) ? { ...provider, ...build(provider.id, options) } : provider;
	return {
		...built,
		credentialSource: GLOBAL_CREDENTIALS,
		authority: generic ?? globalAuthorityOf(provider.id, provider.options),
		isOwnAuthority: false,
		isOwnServer: false,
		callbackKind: "shared",
		hasOwnRedirectURI,
		sharedRedirectURI: null,
	};
};

const build = (providerId: keyof typeof socialProviders, options: object): OAuthProvider =>
	(socialProviders[providerId] as (options: object) => OAuthProvider)(options);

/** Sends the provider's redirect to the tenant's callback or the callback host's, with a state that names the tenant. */
export const forTenant = (
	provider: TenantProvider,
	tenantId: string,
	{ bounds, callbackBase }: { bounds: CallBounds; callbackBase: string | null },
): TenantProvider => {
	const bound = boundProvider(provider, bounds, {
		publicHostsOnly: provider.isOwnServer,
		vouchesForEmail: !provider.isOwnAuthority,
	});
	// a server that the tenant may run must not receive codes where those of others arrive
	const isShared = callbackBase !== null && provider.callbackKind === "shared" && !provider.hasOwnRedirectURI;
	const sharedRedirectURI = isShared ? `${callbackBase}${sharedCallbackPath(provider.id)}` : null;
	return {
		...bound,
		sharedRedirectURI,
		callbackPath: callbackPathOf(provider.id, tenantId, provider.callbackKind),
		issuer: provider.issuer ?? issuerOf(provider.id, provider.options),
		createAuthorizationURL: (request) =>
			provider.createAuthorizationURL({
				...request,
				redirectURI: sharedRedirectURI ?? request.redirectURI,
				state: withTag(request.state, tenantId),
			}),
		accountSubject: async (context) => accountIdOf(String(await bound.accountSubject(context)), provider.authority),
	};
};

export const findProvider = (
	list: (OAuthProvider | TenantProvider)[],
	providerId: string,
): OAuthProvider | TenantProvider | undefined => list.find(({ id }) => id === providerId);

/** The credential source of a provider. A provider that is not configured counts as the application's own. */
export const sourceOf = (provider: OAuthProvider | TenantProvider | undefined): string =>
	provider && "credentialSource" in provider ? provider.credentialSource : GLOBAL_CREDENTIALS;
