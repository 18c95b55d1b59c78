import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { addOAuthServerContext } from "better-auth/api";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { findProvider, GLOBAL_CREDENTIALS, sourceOf, type TenantProvider } from "./build-provider.ts";
import { type FlowBinding, SSO_CALLBACK } from "./flow-binding.ts";
import { obeyAuthority } from "./implicit-linking.ts";
import { sharedCallbackPath } from "./shared-callback-path.ts";

/** Binds each OAuth state that a request creates to its tenant and to the provider that the request names. */
export const bindFlow = async (ctx: GenericEndpointContext, tenantId: string): Promise<void> => {
	const providerId = namedProvider(ctx);
	const named = providerId === null ? undefined : findProvider(ctx.context.socialProviders, providerId);
	obeyAuthority(ctx.context, named);
	if (endpointOf(ctx.path).startsSso) {
		// the SSO plugin finds the provider by id or by the email's domain, and binds it itself
		await bind({ tenantId, providerId: "", source: GLOBAL_CREDENTIALS, callback: SSO_CALLBACK });
	} else if (providerId !== null) {
		await bind({ tenantId, providerId, source: sourceOf(named), ...endOfFlow(ctx, named, providerId) });
	}
};

/** Where a provider must return to. From the callback host, the flow goes on at the host of this request. */
export const endOfFlow = (
	{ context }: GenericEndpointContext,
	named: OAuthProvider | TenantProvider | undefined,
	providerId: string,
): Pick<FlowBinding, "callback" | "returnTo"> =>
	named && "sharedRedirectURI" in named && named.sharedRedirectURI !== null
		? { callback: sharedCallbackPath(providerId), returnTo: new URL(context.baseURL).hostname }
		: { callback: named?.callbackPath ?? `/callback/${providerId}` };

const bind = (flow: FlowBinding): Promise<void> => addOAuthServerContext({ tenantAuth: flow });

/** The provider that a request names. The engine's endpoints use different parameters for it. */
const namedProvider = (ctx: GenericEndpointContext): string | null => {
	const { provider } = endpointOf(ctx.path);
	if (provider !== null) return provider;
	const candidates: unknown[] = [
		ctx.body?.provider,
		ctx.body?.providerId,
		ctx.params?.id,
		ctx.params?.providerId,
		ctx.query?.provider,
		ctx.query?.providerId,
	];
	const named = candidates.find((candidate) => typeof candidate === "string" && candidate !== "");
	return typeof named === "string" ? named : null;
};
