import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { leanEndpoint } from "../../engine/lean-endpoint.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { withTag } from "../../scope/pin/tag.ts";
import {
	assertNotDisabled,
	callbackOptions,
	errorURL,
	INVALID_REQUEST,
	keepPrivate,
	readParameters,
	refusePrefetch,
} from "./callback-request.ts";
import { callbackBaseOf } from "./callback-urls.ts";
import { handOver } from "./continue-at-tenant.ts";
import { type FlowBinding, isTest, readBinding, readExpiry, testCallback } from "./flow-binding.ts";
import { sharedCallbackPath } from "./shared-callback-path.ts";
import { STATE_PREFIX } from "./single-use-state.ts";

const PATH = "/tenant/shared-callback/:id";

/**
 * Where providers return to for every tenant, on `oauth.callbackHost`. Redeems the code with the verifier of the state that names
 * the tenant, and sends the browser to the tenant's host with a code of its own. Creates no user, session or cookie: only the
 * tenant's host knows whether this is the browser that began. The provider's code goes nowhere else: a tenant that received
 * it could use it in a flow of another tenant.
 */
export const tenantSharedCallback = (currentTenant: () => string) =>
	leanEndpoint(
		createAuthEndpoint(
			PATH,
			callbackOptions(PATH, {
				operationId: "handleTenantSharedOAuthCallback",
				description: "OAuth callback of all tenants, on oauth.callbackHost. Returns 404 on other hosts",
				redirect:
					"To the callback on the tenant's host, with a code that works once. To your error page if the state is not valid",
			}),
			async (ctx) => {
				keepPrivate(ctx);
				assertAtCallbackHost(ctx);
				refusePrefetch(ctx);
				assertNotDisabled(ctx);
				const sent = readParameters(ctx);
				if (sent === null) throw ctx.redirect(errorURL(ctx, INVALID_REQUEST));
				const begun = await consumeState(ctx, sent.state ?? "", currentTenant());
				// never a URL from the request, nor from a state that is not valid
				const target = begun && (await handOver(ctx, begun, sent));
				if (!target) throw ctx.redirect(errorURL(ctx, "state_mismatch"));
				target.searchParams.set("state", withTag(sent.state ?? "", begun.flow.tenantId));
				throw ctx.redirect(target.toString());
			},
		),
	);

/** On any other host, it does not exist: a tenant's host must not redeem a provider's code. */
const assertAtCallbackHost = (ctx: GenericEndpointContext): void => {
	const callbackBase = callbackBaseOf(ctx);
	if (callbackBase === null || ctx.context.baseURL !== callbackBase) throw new APIError("NOT_FOUND");
};

/** A state that began for this callback. It is consumed first, so a second callback with it finds nothing. */
const consumeState = async (
	ctx: GenericEndpointContext,
	state: string,
	tenantId: string,
): Promise<{ value: string; flow: FlowBinding & { returnTo: string } } | null> => {
	// this endpoint never created a state without a tenant
	if (state === "" || tenantId === PLATFORM) return null;
	const row = await ctx.context.internalAdapter.consumeVerificationValue(`${STATE_PREFIX}${state}`);
	const flow = row && readBinding(row.value);
	if (!row || !flow?.returnTo || flow.tenantId !== tenantId || flow.providerId !== ctx.params?.id) return null;
	const here = sharedCallbackPath(flow.providerId);
	if (flow.callback !== (isTest(flow) ? testCallback(here) : here)) return null;
	return readExpiry(row.value) < Date.now() ? null : { value: row.value, flow: { ...flow, returnTo: flow.returnTo } };
};
