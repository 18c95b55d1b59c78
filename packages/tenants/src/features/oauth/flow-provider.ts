import type { OAuthProvider } from "@better-auth/core/oauth2";
import { defineService } from "../../engine/service.ts";
import { sourceOf, type TenantProvider } from "./build-provider.ts";
import { type FlowBinding, isTest } from "./flow-binding.ts";
import type { TenantProviders } from "./tenant-providers.ts";

export type FlowProvider = ReturnType<typeof createFlowProvider>;

/** The provider of a flow. */
export const flowProviderOf = defineService<FlowProvider>("flowProvider");

/**
 * Finds the provider that a flow began with, for the callback host: a config that was changed or deleted since then is another
 * one. Another process may have changed it after it was loaded here, so it is loaded again before it is refused.
 */
export const createFlowProvider =
	(providers: Pick<TenantProviders, "load" | "loadOwn">, globalProviders: () => OAuthProvider[]) =>
	async (flow: FlowBinding): Promise<TenantProvider | null> => {
		const { tenantId, providerId, source } = flow;
		const isSame = (provider: TenantProvider | null): provider is TenantProvider =>
			provider?.id === providerId && sourceOf(provider) === source;
		if (isTest(flow)) {
			// null also for credentials that cannot be decrypted any more
			const own = await providers.loadOwn(tenantId, providerId, globalProviders()).catch(() => null);
			return isSame(own) ? own : null;
		}
		for (const fresh of [false, true]) {
			const found = (await providers.load(tenantId, globalProviders(), { fresh })).find(isSame);
			if (found) return found;
		}
		return null;
	};
