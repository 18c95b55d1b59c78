import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../engine/endpoints.ts";
import { findSsoProvider } from "./find-provider.ts";

/**
 * Refuses an authorization response of another issuer than the flow was started with, where the response names one (RFC 9207,
 * section 2.4). The engine then ends the flow as one that the provider refused: the code is not redeemed, and the user is
 * sent to the flow's own error page.
 */
export const withCheckedIssuer = async (ctx: GenericEndpointContext): Promise<GenericEndpointContext> => {
	const issuer: unknown = ctx.query?.iss;
	if (endpointOf(ctx.path).ssoProtocol !== "oidc" || issuer === undefined) return ctx;
	const provider = await findSsoProvider(ctx, String(ctx.params?.providerId));
	if (provider === null || provider.issuer === issuer) return ctx;
	const { state } = ctx.query ?? {};
	return { ...ctx, query: { state, error: "issuer_mismatch", error_description: "response_of_another_issuer" } };
};
