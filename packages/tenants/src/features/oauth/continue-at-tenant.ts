import type { GenericEndpointContext } from "@better-auth/core";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { hostPlacesOf } from "../../scope/tenants/hosts.ts";
import { knownTenantsOf } from "../../scope/tenants/known-tenants.ts";
import type { TenantProvider } from "./build-provider.ts";
import { callbackPathOf } from "./callback-path.ts";
import { type FlowBinding, isTest, readVerifier, testCallback } from "./flow-binding.ts";
import { flowProviderOf } from "./flow-provider.ts";
import { type HandedOver, handOverState } from "./hand-over.ts";
import { refusesClient } from "./observed-provider.ts";
import { HANDED_PREFIX } from "./single-use-state.ts";

type Begun = { value: string; flow: FlowBinding & { returnTo: string } };
type Sent = Record<string, string>;

const NOTHING: HandedOver = { tokens: null, refusesClient: false, user: null };

/**
 * Redeems the code of a flow, stores the tokens for the tenant's host, and returns the URL there. Null if the host or the tenant
 * is gone: both may have changed since the flow began, also while the provider was called.
 */
export const handOver = async (
	ctx: GenericEndpointContext,
	{ value, flow }: Begun,
	sent: Sent,
): Promise<URL | null> => {
	const hosts = hostPlacesOf(ctx);
	const known = knownTenantsOf(ctx);
	const flowProvider = flowProviderOf(ctx);
	const provider = await flowProvider(flow);
	const error = sent.error || errorOf(provider, sent);
	// without its provider, the flow ends at the tenant's host, at its own error URL
	const received = error || !provider ? NOTHING : await redeem(provider, value, sent);
	const owner = await hosts?.ownerOf(flow.returnTo, ctx.context);
	if (!hosts || (owner !== flow.tenantId && owner !== PLATFORM) || !(await known.admits(flow.tenantId))) return null;
	const callback = callbackPathOf(flow.providerId, flow.tenantId, "shared");
	const continued = { ...flow, callback: isTest(flow) ? testCallback(callback) : callback };
	const handed = await handOverState(value, continued, received, ctx.context.secretConfig);
	await ctx.context.internalAdapter.createVerificationValue({
		identifier: `${HANDED_PREFIX}${sent.state}`,
		value: handed.value,
		expiresAt: handed.expiresAt,
	});
	const target = new URL(`${hosts.baseURLOf(flow.returnTo)}${callback}`);
	target.searchParams.set("hand_over", handed.code);
	if (error) target.searchParams.set("error", error.slice(0, 100));
	if (sent.error && sent.error_description)
		target.searchParams.set("error_description", sent.error_description.slice(0, 500));
	// Browsers keep the fragment of a URL through redirects. Without tokens from a code, it may hold tokens of somebody whom a
	// tenant sent to the provider, and would reach that tenant's host (RFC 9700, section 4.1.3).
	if (!received.tokens) target.hash = "_";
	return target;
};

/** What the engine would complain about before it redeems a code. */
const errorOf = (provider: TenantProvider | null, { code, iss }: Sent): string | null => {
	// RFC 9207: the response came from another server than the one that the flow began with
	if (iss && provider?.issuer && iss !== provider.issuer) return "issuer_mismatch";
	return code ? null : "no_code";
};

/** The verifier is that of the state. So a code of another flow is refused by the provider (RFC 7636). */
const redeem = async (provider: TenantProvider, value: string, sent: Sent): Promise<HandedOver> => {
	const { code = "", device_id: deviceId, user = null } = sent;
	try {
		const tokens = await provider.validateAuthorizationCode({
			code,
			codeVerifier: readVerifier(value),
			redirectURI: provider.sharedRedirectURI ?? "",
			...(deviceId ? { deviceId } : {}),
		});
		return { tokens, refusesClient: false, user };
	} catch (error) {
		return { ...NOTHING, refusesClient: refusesClient(error) };
	}
};
