import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../engine/endpoints.ts";
import { withBoundedFetch } from "../oauth/bounded-fetch.ts";
import { servicesOf } from "../services.ts";

/**
 * Bounds the plugin's calls to an identity provider as those to social providers are: in time, in size, without redirects, and
 * to public addresses alone unless the application trusts the origin. The plugin checks addresses itself, but connects by a
 * second look-up.
 *
 * When the plugin begins to write, the provider has been asked. What follows is also the application's own code
 * (`provisionUser`, database hooks, mails), which is not bounded.
 */
export const boundProviderCalls = <Result>(
	ctx: GenericEndpointContext,
	run: () => Promise<Result>,
): Promise<Result> => {
	if (!endpointOf(ctx.path).callsSsoProvider) return run();
	const { context } = ctx;
	const { adapter } = context;
	const { deadline, allowPrivateHosts } = servicesOf(ctx).callBounds();
	let isOver = false;
	context.adapter = {
		...adapter,
		transaction: (write) => {
			isOver = true;
			return adapter.transaction(write);
		},
	};
	const bounds = {
		signal: deadline(),
		publicHostsOnly: !allowPrivateHosts,
		trusts: (url: string) => context.isTrustedOrigin(url),
		isOver: () => isOver,
	};
	return withBoundedFetch(bounds, run);
};
