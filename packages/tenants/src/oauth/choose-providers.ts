import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { endpointOf } from "../engine/endpoints.ts";
import { PLATFORM } from "../scope/platform.ts";
import { chosenFor, useProviders } from "./flow-state.ts";
import { useTenantGoogle } from "./one-tap.ts";
import type { TenantProviders } from "./tenant-providers.ts";

/** Leaves a request that touches no provider without any, so that no credentials are loaded for it. */
export const dropProviders = ({ path, context }: GenericEndpointContext, tenantId: string): void => {
	if (tenantId === PLATFORM) return;
	// signing out asks them for the address of their own sign-out, which none of the built-in ones has
	context.socialProviders = endpointOf(path).signsOut
		? context.socialProviders.filter(({ createEndSessionURL }) => createEndSessionURL)
		: [];
};

/** Gives a pinned request the providers of its tenant, and the platform the application's own. */
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
			// states of tenants lie on the server: bound, consumed once, and tied to the browser's cookie
			context.oauthConfig = { ...context.oauthConfig, storeStateStrategy: "database", skipStateCookieCheck: false };
			// a tenant's identity provider may say anything about anyone: never trusted by its name alone
			context.trustedProviders = [];
		}
		if (endpointOf(ctx.path).provider === "google") useTenantGoogle(ctx);
	};
