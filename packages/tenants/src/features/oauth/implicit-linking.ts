import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import type { TenantProvider } from "./build-provider.ts";

/** Turns off linking by email address for this request. */
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
 * A tenant-chosen provider can claim that any email is verified. So its accounts are never linked to an existing user by
 * email. A signed-in user can still link one.
 */
export const obeyAuthority = (
	context: GenericEndpointContext["context"],
	provider: OAuthProvider | TenantProvider | undefined,
): void => {
	if (!provider || !("isOwnAuthority" in provider) || !provider.isOwnAuthority) return;
	forbidImplicitLinking(context);
	// affects explicit linking only, as implicit linking is off; without it, an unverified email could not be linked
	context.trustedProviders = [provider.id];
};
