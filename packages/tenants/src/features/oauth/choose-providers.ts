import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { chosenFor, useProviders } from "./flow-state.ts";
import { useTenantGoogle } from "./one-tap.ts";
import type { TenantProviders } from "./tenant-providers.ts";

/** Removes the providers from a request that does not use them, so no credentials are loaded. */
export const dropProviders = ({ path, context }: GenericEndpointContext, tenantId: string): void => {
	if (tenantId === PLATFORM) return;
	// sign-out uses the providers' sign-out URL; no built-in provider has one
	context.socialProviders = endpointOf(path).signsOut
		? context.socialProviders.filter(({ createEndSessionURL }) => createEndSessionURL)
		: [];
};

/** Sets the providers of a request: those of its tenant, or the application's own for the platform. */
export const createProviderChoice =
	(providers: TenantProviders, globalProviders: () => OAuthProvider[]) =>
	async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		const { context } = ctx;
		const before = chosenFor(context);
		if (tenantId === PLATFORM) {
			if (before !== undefined && before !== PLATFORM) context.socialProviders = globalProviders();
			return;
		}
		if (before !== tenantId) {
			useProviders(context, tenantId, await providers.load(tenantId, globalProviders()));
			// tenants' states are stored on the server: bound to a flow, used once, and tied to the browser's cookie
			context.oauthConfig = { ...context.oauthConfig, storeStateStrategy: "database", skipStateCookieCheck: false };
			// a tenant's identity provider can claim any email, so it is never trusted because of its id alone
			context.trustedProviders = [];
		}
		if (endpointOf(ctx.path).provider === "google") useTenantGoogle(ctx);
	};
