import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { findSsoProvider } from "./find-provider.ts";

/**
 * Rejects an authorization response that names another issuer than the flow's provider (RFC 9207, section 2.4). The
 * engine then handles it like an error from the provider: it does not redeem the code, and redirects to the flow's
 * error page.
 */
export const withCheckedIssuer = async (ctx: GenericEndpointContext): Promise<GenericEndpointContext> => {
	const issuer: unknown = ctx.query?.iss;
	if (endpointOf(ctx.path).ssoProtocol !== "oidc" || issuer === undefined) return ctx;
	const provider = await findSsoProvider(ctx, String(ctx.params?.providerId));
	if (provider === null || provider.issuer === issuer) return ctx;
	const { state } = ctx.query ?? {};
	return { ...ctx, query: { state, error: "issuer_mismatch", error_description: "response_of_another_issuer" } };
};
