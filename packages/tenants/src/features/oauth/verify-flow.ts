import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { getOAuthState } from "better-auth/api";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { onceOnly } from "../../lib/once-only.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { findProvider, sourceOf } from "./build-provider.ts";
import {
	expireState,
	type FlowBinding,
	isTest,
	readBinding,
	readCallbackURL,
	SSO_CALLBACK,
	testCallback,
} from "./flow-binding.ts";
import { chosenFor, flowStateOf, replaceProviders, useProviders } from "./flow-state.ts";
import { type HandedOver, openHandOver } from "./hand-over.ts";
import { handedProvider } from "./handed-provider.ts";
import { obeyAuthority } from "./implicit-linking.ts";
import { observeProvider } from "./observed-provider.ts";
import { useStatesOnce } from "./single-use-state.ts";
import type { TenantProviders } from "./tenant-providers.ts";
import type { ConfigTest } from "./test-outcome.ts";

/** Accepts each state once, and only in the flow that it was created for. */
export const createFlowVerification = (providers: TenantProviders, globalProviders: () => OAuthProvider[]) => {
	const continues = async (ctx: GenericEndpointContext, tenantId: string, flow: FlowBinding): Promise<boolean> => {
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
	};
	const continuesTest = createTestContinuation(providers, globalProviders);
	return (ctx: GenericEndpointContext, tenantId: string): void => {
		if (tenantId === PLATFORM && ctx.context.oauthConfig.storeStateStrategy === "cookie") compareBeforeRedeeming(ctx);
		useStatesOnce(ctx, async (value) => {
			const flow = readBinding(value);
			// on the platform, flows of other plugins name no provider to compare
			if (!flow) return tenantId === PLATFORM ? value : null;
			const code = flowStateOf(ctx.context)?.handOver ?? null;
			const handed = code === null ? null : await openHandOver(value, code, ctx.context.secretConfig);
			const isHanded = code === null || handed !== null;
			const goesOn = isTest(flow)
				? isSameFlow(ctx, tenantId, flow) && isHanded && (await continuesTest(ctx, { flow, value, handed }))
				: isHanded && (await continues(ctx, tenantId, flow));
			if (!goesOn) return endFlow(ctx, tenantId, flow, value);
			if (handed && !isTest(flow)) takeHandOver(ctx, tenantId, handed);
			return value;
		});
	};
};

/** No code is redeemed here: the callback host has redeemed the only one of this flow. */
const takeHandOver = ({ context }: GenericEndpointContext, tenantId: string, handed: HandedOver): void =>
	replaceProviders(
		context,
		tenantId,
		context.socialProviders.map((provider) => handedProvider(provider, handed)),
	);

/**
 * Ends a flow at the error URL that it was started with. The engine sends the browser there if a state is expired. The
 * state is the browser's own (`useStatesOnce`) and the tenant's own. Null for any other state, which the engine then
 * treats as missing.
 */
const endFlow = (ctx: GenericEndpointContext, tenantId: string, flow: FlowBinding, value: string): string | null => {
	if (flow.tenantId !== tenantId || flow.callback === SSO_CALLBACK) return null;
	if (endpointOf(ctx.path).endsFlow !== "at-its-callback") return null;
	// no provider redeems the code, even if the engine did not compare the expiry
	replaceProviders(ctx.context, tenantId, []);
	return expireState(value);
};

/** Whether a flow ends in the tenant, provider and callback that it was started for. */
const isSameFlow = (ctx: GenericEndpointContext, tenantId: string, flow: FlowBinding): boolean => {
	if (flow.tenantId !== tenantId) return false;
	const { endsFlow } = endpointOf(ctx.path);
	if (endsFlow === "sso" || endsFlow === "none" || flow.callback === SSO_CALLBACK)
		return flow.callback === SSO_CALLBACK && endsFlow === "sso";
	const endsHere = ctx.params?.id ?? ctx.params?.providerId;
	if (endsHere !== undefined && endsHere !== flow.providerId) return false;
	if (endsFlow !== "at-its-callback") return !isTest(flow);
	const here = flowStateOf(ctx.context)?.callback ?? `/callback/${endsHere}`;
	const via = isTest(flow) ? testCallback(here) : here;
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

/**
 * Continues the test of a config at its callback. The request's only provider is then the tested one, and it signs nobody in.
 * Returns false if the config changed since the test started.
 */
const createTestContinuation =
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
