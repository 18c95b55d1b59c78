import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";

type Context = GenericEndpointContext["context"];

/**
 * What a request knows about the OAuth flow it is part of. It travels on the context, which the engine copies for each
 * endpoint that it dispatches to: an endpoint that hands on a request, and the one behind it, share one object.
 */
export type FlowState = {
	/** whose providers were chosen */
	tenantId: string;
	/** The lists that were chosen, newest last. A stale one is replaced in the middle of a callback. */
	chosen: OAuthProvider[][];
	/** the path of the tenant's callback that handed the request on to the engine's; null for any other request */
	callback: string | null;
};

type WithFlow = Context & { tenantAuthFlow?: FlowState };

/** The flow on a context, whoever its providers belong to. */
export const flowStateOf = (context: Context): FlowState | undefined => (context as WithFlow).tenantAuthFlow;

/** The tenant that the providers on a context were chosen for; undefined for a list that was not chosen here. */
export const chosenFor = (context: Context): string | undefined => {
	const flow = flowStateOf(context);
	return flow?.chosen.includes(context.socialProviders) ? flow.tenantId : undefined;
};

/** Puts a tenant's providers on a context: a request that is handed on passes through again and keeps them. */
export const useProviders = (context: Context, tenantId: string, providers: OAuthProvider[]): void => {
	const flow: FlowState = { tenantId, chosen: [providers], callback: flowStateOf(context)?.callback ?? null };
	Object.assign(context, { socialProviders: providers, tenantAuthFlow: flow } satisfies Partial<WithFlow>);
};

/** Replaces a tenant's stale providers, for every context that shares the flow. */
export const replaceProviders = (context: Context, tenantId: string, providers: OAuthProvider[]): void => {
	const flow = flowStateOf(context);
	if (flow?.tenantId === tenantId) {
		flow.chosen.push(providers);
		context.socialProviders = providers;
	} else useProviders(context, tenantId, providers);
};

/** The context for the engine's callback, which a tenant's callback hands on to, and the flow that both share. */
export const handedOnTo = (
	context: Context,
	{ tenantId, providers, callback }: { tenantId: string; providers: OAuthProvider[]; callback: string },
): { context: Context; flow: FlowState } => {
	const flow: FlowState = { tenantId, chosen: [providers], callback };
	return { context: { ...context, socialProviders: providers, tenantAuthFlow: flow } as WithFlow, flow };
};
