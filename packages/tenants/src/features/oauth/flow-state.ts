import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import type { ConfigTest } from "./test-outcome.ts";

type Context = GenericEndpointContext["context"];

/**
 * The OAuth flow that a request is part of. It is a property of the context. The engine copies the context for each
 * endpoint it dispatches to, so a tenant's callback and the engine's callback behind it share one object.
 */
export type FlowState = {
	/** the tenant that the providers belong to */
	tenantId: string;
	/** The provider lists of this flow, newest last. A callback replaces a stale list. */
	chosen: OAuthProvider[][];
	/** the path of the tenant's callback that passed the request on to the engine's callback; otherwise null */
	callback: string | null;
	/** the code that `oauth.callbackHost` passed the request on with; otherwise null */
	handOver: string | null;
	/** the test of a config that the state belongs to; null until the state is read, and in a sign-in */
	test: ConfigTest | null;
};

type WithFlow = Context & { tenantAuthFlow?: FlowState };

/** The flow of a context, for a tenant or the platform. */
export const flowStateOf = (context: Context): FlowState | undefined => (context as WithFlow).tenantAuthFlow;

/** The tenant that a context's providers belong to. Undefined if `useProviders` did not set them. */
export const chosenFor = (context: Context): string | undefined => {
	const flow = flowStateOf(context);
	return flow?.chosen.includes(context.socialProviders) ? flow.tenantId : undefined;
};

/** Sets a tenant's providers on a context. A request that is passed on to another endpoint keeps them. */
export const useProviders = (context: Context, tenantId: string, providers: OAuthProvider[]): void => {
	const { callback = null, handOver = null } = flowStateOf(context) ?? {};
	const flow: FlowState = { tenantId, chosen: [providers], callback, handOver, test: null };
	Object.assign(context, { socialProviders: providers, tenantAuthFlow: flow } satisfies Partial<WithFlow>);
};

/** Replaces a tenant's stale providers for every context that shares the flow. */
export const replaceProviders = (context: Context, tenantId: string, providers: OAuthProvider[]): void => {
	const flow = flowStateOf(context);
	if (flow?.tenantId === tenantId) {
		flow.chosen.push(providers);
		context.socialProviders = providers;
	} else useProviders(context, tenantId, providers);
};

/** Creates the context for the engine's callback, and the flow that it shares with the tenant's callback. */
export const handedOnTo = (
	context: Context,
	{
		tenantId,
		providers,
		...from
	}: { providers: OAuthProvider[] } & Pick<FlowState, "tenantId" | "callback" | "handOver">,
): { context: Context; flow: FlowState } => {
	const flow: FlowState = { tenantId, chosen: [providers], ...from, test: null };
	return { context: { ...context, socialProviders: providers, tenantAuthFlow: flow } as WithFlow, flow };
};
