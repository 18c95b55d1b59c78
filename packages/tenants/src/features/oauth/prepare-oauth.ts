import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { bindFlow } from "./bind-flow.ts";
import { createProviderChoice, dropProviders } from "./choose-providers.ts";
import { hideForeignTokens } from "./foreign-tokens.ts";
import { createDiscoveryRetry } from "./pending-discovery.ts";
import type { TenantProviders } from "./tenant-providers.ts";
import { createFlowVerification } from "./verify-flow.ts";

/** Prepares a request for OAuth: sets its tenant's providers, binds the flows it starts, and makes states single-use. */
export const createOauthPreparation = (providers: TenantProviders, application: AuthContext) => {
	// read at each request, because later plugins may add providers
	const globalProviders = () => application.socialProviders;
	const retryDiscovery = createDiscoveryRetry(application);
	const chooseProviders = createProviderChoice(providers, globalProviders);
	const verifyFlow = createFlowVerification(providers, globalProviders);
	return async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
		await retryDiscovery(ctx);
		if (!ctx.path || !endpointOf(ctx.path).needsProviders) return dropProviders(ctx, tenantId);
		await chooseProviders(ctx, tenantId);
		await bindFlow(ctx, tenantId);
		if (tenantId !== PLATFORM) await hideForeignTokens(ctx);
		verifyFlow(ctx, tenantId);
	};
};
