import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";

type WithPending = { genericOAuthPendingDiscovery?: ReadonlyMap<string, unknown> | undefined };

/**
 * Retries the discovery of a generic OAuth provider that failed at startup. Since Better Auth 1.7.18 a before-hook does
 * so, and adds the provider to the request's list. In a tenant that is the tenant's own list: the provider would be used
 * without limits and without the tenant's callback, and be missing everywhere else. So the retry runs here, on the
 * application's list, and the hook finds nothing to retry.
 */
export const createDiscoveryRetry =
	(application: AuthContext) =>
	async (ctx: GenericEndpointContext): Promise<void> => {
		const { genericOAuthPendingDiscovery: pending } = application as WithPending;
		if (!pending) return;
		const provider = providerOf(ctx);
		if (provider !== undefined && pending.has(provider) && endpointOf(ctx.path).needsProviders) {
			const { socialProviders } = application;
			const context = { ...ctx.context, socialProviders, genericOAuthPendingDiscovery: pending };
			const asked = { ...ctx, body: { provider }, context };
			for (const { id, hooks } of application.options.plugins ?? []) {
				if (id !== "generic-oauth") continue;
				for (const { matcher, handler } of hooks?.before ?? []) if (matcher(asked)) await handler(asked as never); // the engine passes the same object, untyped
			}
		}
		Object.assign(ctx.context, { genericOAuthPendingDiscovery: undefined } satisfies WithPending);
	};

const providerOf = ({ body, query, params }: GenericEndpointContext): string | undefined => {
	const id: unknown = body?.provider ?? body?.providerId ?? query?.provider ?? params?.id ?? params?.providerId;
	return typeof id === "string" ? id : undefined;
};
