import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { getOAuthState } from "better-auth/api";
import { endpointOf } from "../engine/endpoints.ts";
import { PLATFORM } from "../scope/platform.ts";
import { findProvider, sourceOf } from "./build-provider.ts";
import { type FlowBinding, readBinding, SSO_CALLBACK } from "./flow-binding.ts";
import { chosenFor, flowStateOf, replaceProviders, useProviders } from "./flow-state.ts";
import { obeyAuthority } from "./implicit-linking.ts";
import { onceOnly } from "./once-only.ts";
import { useStatesOnce } from "./single-use-state.ts";
import type { TenantProviders } from "./tenant-providers.ts";

/** Accepts each state once, and only in the flow that it was created for. */
export const createFlowVerification =
	(providers: TenantProviders, globalProviders: () => OAuthProvider[]) =>
	(ctx: GenericEndpointContext, tenantId: string): void => {
		if (tenantId === PLATFORM && ctx.context.oauthConfig.storeStateStrategy === "cookie") compareBeforeRedeeming(ctx);
		useStatesOnce(ctx, async (value) => {
			const flow = readBinding(value);
			// on the platform, flows of other plugins name no provider to compare
			if (!flow) return tenantId === PLATFORM;
			if (!isSameFlow(ctx, tenantId, flow)) return false;
			if (tenantId === PLATFORM || sourceOf(findProvider(ctx.context.socialProviders, flow.providerId)) === flow.source)
				return true;
			// another process may have changed the config since it was loaded here: load it again before refusing
			const own = await providers.load(tenantId, globalProviders(), { fresh: true });
			if (sourceOf(findProvider(own, flow.providerId)) !== flow.source) return false;
			const changed = own.map(onceOnly);
			replaceProviders(ctx.context, tenantId, changed);
			obeyAuthority(ctx.context, findProvider(changed, flow.providerId));
			return true;
		});
	};

/** Whether a flow ends in the tenant, provider and callback that it was started for. */
const isSameFlow = (ctx: GenericEndpointContext, tenantId: string, flow: FlowBinding): boolean => {
	if (flow.tenantId !== tenantId) return false;
	const { endsFlow } = endpointOf(ctx.path);
	if (endsFlow === "sso" || endsFlow === "none" || flow.callback === SSO_CALLBACK)
		return flow.callback === SSO_CALLBACK && endsFlow === "sso";
	const endsHere = ctx.params?.id ?? ctx.params?.providerId;
	if (endsHere !== undefined && endsHere !== flow.providerId) return false;
	if (endsFlow !== "at-its-callback") return true;
	const via = flowStateOf(ctx.context)?.callback ?? `/callback/${endsHere}`;
	return via === flow.callback;
};

/** A state in a cookie is not looked up in the database. So it is compared before the code is redeemed. */
const compareBeforeRedeeming = (ctx: GenericEndpointContext): void => {
	if (endpointOf(ctx.path).kind !== "callback" || chosenFor(ctx.context) !== undefined) return;
	const compared = ctx.context.socialProviders.map((provider) => ({
		...provider,
		validateAuthorizationCode: async (data: Parameters<OAuthProvider["validateAuthorizationCode"]>[0]) => {
			const flow = readBinding(JSON.stringify(await getOAuthState()));
			if (flow && !isSameFlow(ctx, PLATFORM, flow)) throw new Error("The OAuth state belongs to another flow");
			return provider.validateAuthorizationCode(data);
		},
	}));
	useProviders(ctx.context, PLATFORM, compared);
};
