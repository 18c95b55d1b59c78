import { APIError } from "@better-auth/core/error";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { socialProviders } from "better-auth/social-providers";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import { withTag } from "../scope/tag.ts";
import { type Authority, accountIdOf, authorityOf, issuerOf, namesOwnServer } from "./authority.ts";
import { outsideBounds } from "./bounded-fetch.ts";
import { boundProvider, type CallBounds } from "./bounded-provider.ts";
import { isBuiltInProvider } from "./config-input.ts";
import type { OpenedConfig } from "./config-store.ts";
import { settingsOf } from "./provider-settings.ts";

/** Where a provider's credentials come from: one version of a tenant's config, or the application's own. */
export const GLOBAL_CREDENTIALS = "global";

export type TenantProvider = OAuthProvider & {
	credentialSource: string;
	authority: Authority;
	/** the tenant chose who names its people: another directory, realm or server than the application's */
	isOwnAuthority: boolean;
	/** the tenant may run the server itself */
	isOwnServer: boolean;
};

/** What the application decided for everyone who comes by a provider; a tenant's credentials do not change it. */
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

/** The application's own function is no call to a provider, though a provider calls it. */
const unbounded =
	(own: (...given: never[]) => unknown) =>
	(...given: never[]): unknown =>
		outsideBounds(() => own(...given));

/** The engine's own provider, with the tenant's credentials. Null when they do not open or the engine cannot use them. */
export const buildOwn = (config: OpenedConfig, global: OAuthProvider | undefined): TenantProvider | null => {
	const { providerId, credentials } = config;
	if (!credentials || !isBuiltInProvider(providerId)) return null;
	const { options, clientId, clientSecret, scopes, redirectURI } = credentials;
	const authority = authorityOf(providerId, options);
	const isOwnAuthority =
		authority !== null &&
		authority !== authorityOf(providerId, { ...engineDefaultsOf(providerId), ...global?.options });
	const isOwnServer = isOwnAuthority && namesOwnServer(providerId, options);
	try {
		const provider = build(providerId, {
			...policyOf(global),
			...settingsOf(providerId)?.defaults,
			...options,
			clientId,
			// TikTok's name for it
			clientKey: clientId,
			clientSecret,
			...(scopes ? { scope: scopes } : {}),
			...(redirectURI ? { redirectURI } : {}),
			// an ID token that a client hands in is only as good as the server that signed it
			...(isOwnAuthority ? { disableIdTokenSignIn: true } : {}),
		});
		return {
			...provider,
			disableImplicitSignUp: global?.disableImplicitSignUp,
			credentialSource: config.version,
			authority,
			isOwnAuthority,
			isOwnServer,
		};
	} catch {
		return null;
	}
};

/** What the engine takes where the application says nothing, and this package does not. */
const engineDefaultsOf = (providerId: string): Record<string, string> =>
	providerId === "paypal" ? { environment: "sandbox" } : {};

/** Credentials that do not open, or that the engine cannot use: this provider refuses, the tenant's others work. */
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
	};
};

export const buildFallback = (provider: OAuthProvider, generic: Authority): TenantProvider => {
	// a redirect URI of the application's own leads to its own callback, where a tenant's flow must not end
	const { redirectURI, ...options } = provider.options ?? {};
	const built =
		redirectURI && isBuiltInProvider(provider.id) ? { ...provider, ...build(provider.id, options) } : provider;
	return {
		...built,
		credentialSource: GLOBAL_CREDENTIALS,
		authority: generic ?? authorityOf(provider.id, { ...engineDefaultsOf(provider.id), ...provider.options }),
		isOwnAuthority: false,
		isOwnServer: false,
	};
};

const build = (providerId: keyof typeof socialProviders, options: object): OAuthProvider =>
	(socialProviders[providerId] as (options: object) => OAuthProvider)(options);

/**
 * Where a flow has to end. A server that a tenant named must not be sent codes that belong to another server's clients,
 * so such flows end at an address of their own (RFC 9700, section 4.4.2): a code that comes to any other is refused.
 */
const callbackPathOf = ({ id, isOwnServer }: TenantProvider, tenantId: string): string =>
	isOwnServer ? `/tenant/callback/${id}/${tenantId}` : `/tenant/callback/${id}`;

/** The provider's redirect comes back to the tenant's callback, with a state that says its tenant. */
export const forTenant = (provider: TenantProvider, tenantId: string, bounds: CallBounds): TenantProvider => {
	const bound = boundProvider(provider, bounds, {
		publicHostsOnly: provider.isOwnServer,
		vouchesForEmail: !provider.isOwnAuthority,
	});
	return {
		...bound,
		callbackPath: callbackPathOf(provider, tenantId),
		issuer: provider.issuer ?? issuerOf(provider.id, provider.options),
		createAuthorizationURL: (request) =>
			provider.createAuthorizationURL({ ...request, state: withTag(request.state, tenantId) }),
		accountSubject: async (context) => accountIdOf(String(await bound.accountSubject(context)), provider.authority),
	};
};

export const findProvider = (
	list: (OAuthProvider | TenantProvider)[],
	providerId: string,
): OAuthProvider | TenantProvider | undefined => list.find(({ id }) => id === providerId);

/** Where the credentials of a provider come from; the application's own for one that is not configured. */
export const sourceOf = (provider: OAuthProvider | TenantProvider | undefined): string =>
	provider && "credentialSource" in provider ? provider.credentialSource : GLOBAL_CREDENTIALS;
