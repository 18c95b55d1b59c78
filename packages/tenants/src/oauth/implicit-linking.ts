import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import type { TenantProvider } from "./build-provider.ts";

/** For this request, nobody who exists is linked because of an email address. */
export const forbidImplicitLinking = (context: GenericEndpointContext["context"]): void => {
	const { options } = context;
	context.options = {
		...options,
		account: {
			...options.account,
			accountLinking: { ...options.account?.accountLinking, disableImplicitLinking: true },
		},
	};
};

/**
 * A provider that a tenant chose can claim that any email is verified, so what it says links no account to a user who
 * exists. A signed-in user may still link it.
 */
export const obeyAuthority = (
	context: GenericEndpointContext["context"],
	provider: OAuthProvider | TenantProvider | undefined,
): void => {
	if (!provider || !("isOwnAuthority" in provider) || !provider.isOwnAuthority) return;
	forbidImplicitLinking(context);
	// with implicit linking off, this counts for linking by hand alone, which an unverified email would keep from working
	context.trustedProviders = [provider.id];
};
