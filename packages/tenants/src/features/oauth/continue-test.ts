import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { sourceOf } from "./build-provider.ts";
import { type FlowBinding, readCallbackURL } from "./flow-binding.ts";
import { flowStateOf, replaceProviders } from "./flow-state.ts";
import type { HandedOver } from "./hand-over.ts";
import { handedProvider } from "./handed-provider.ts";
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
		{ flow, value, handed }: { flow: FlowBinding; value: string; handed: HandedOver | null },
	): Promise<boolean> => {
		const { tenantId, providerId, source } = flow;
		const running = flowStateOf(ctx.context);
		if (!running) return false;
		const test: ConfigTest = { callbackURL: readCallbackURL(value), outcome: "config_changed" };
		running.test = test;
		// null also for credentials that cannot be decrypted any more
		const provider = await providers.loadOwn(tenantId, providerId, globalProviders()).catch(() => null);
		if (!provider || sourceOf(provider) !== source) return false;
		test.outcome = null;
		const tested = handed ? handedProvider(provider, handed) : provider;
		replaceProviders(ctx.context, tenantId, [observeProvider(tested, test)]);
		return true;
	};
