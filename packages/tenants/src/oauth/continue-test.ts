import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { sourceOf } from "./build-provider.ts";
import { type FlowBinding, readCallbackURL } from "./flow-binding.ts";
import { flowStateOf, replaceProviders } from "./flow-state.ts";
import { observeProvider } from "./observed-provider.ts";
import type { TenantProviders } from "./tenant-providers.ts";
import type { ConfigTest } from "./test-outcome.ts";

/**
 * Continues the test of a config at its callback. The request's only provider is then the tested one, and it signs nobody in.
 * Returns false if the config changed since the test started.
 */
export const createTestContinuation =
	(providers: Pick<TenantProviders, "loadOwn">, globalProviders: () => OAuthProvider[]) =>
	async (
		ctx: GenericEndpointContext,
		{ tenantId, providerId, source }: FlowBinding,
		value: string,
	): Promise<boolean> => {
		const running = flowStateOf(ctx.context);
		if (!running) return false;
		const test: ConfigTest = { callbackURL: readCallbackURL(value), outcome: "config_changed" };
		running.test = test;
		// null also for credentials that cannot be decrypted any more
		const provider = await providers.loadOwn(tenantId, providerId, globalProviders()).catch(() => null);
		if (!provider || sourceOf(provider) !== source) return false;
		test.outcome = null;
		replaceProviders(ctx.context, tenantId, [observeProvider(provider, test)]);
		return true;
	};
