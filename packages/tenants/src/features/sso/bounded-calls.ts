import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { withBoundedFetch } from "../oauth/bounded-fetch.ts";
import { callBoundsOf } from "../oauth/bounded-provider.ts";

/**
 * Limits the SSO plugin's calls to an identity provider in the same way as calls to social providers: a deadline, a
 * maximum size, no redirects, and only public addresses unless the application trusts the origin. The plugin checks
 * addresses too, but its connection then resolves the name a second time.
 *
 * The limits end with the plugin's first transaction, because then all calls to the provider are done. The rest
 * includes the application's own code (`provisionUser`, database hooks, emails).
 */
export const boundProviderCalls = <Result>(
	ctx: GenericEndpointContext,
	run: () => Promise<Result>,
): Promise<Result> => {
	if (!endpointOf(ctx.path).callsSsoProvider) return run();
	const { context } = ctx;
	const { adapter } = context;
	const { deadline, allowPrivateHosts } = callBoundsOf(ctx)();
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
