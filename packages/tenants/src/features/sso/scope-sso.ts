import type { AuthContext, BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import type { Endpoint } from "better-call";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { ADDRESS_PREFIX } from "../../endpoints/tenant-address.ts";
import type { CurrentTenant } from "../../scope/data/schema.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { findSsoProvider } from "./find-provider.ts";
import { runInTenant } from "./in-tenant.ts";
import { returnEndpoints } from "./return-endpoints.ts";
import { assertSamlMessages } from "./saml-messages.ts";

/**
 * Scopes the flows, paths, settings and accounts of the SSO plugin to one tenant. Returns any other plugin unchanged.
 */
export const scopeSso = <Plugin extends BetterAuthPlugin>(plugin: Plugin, current: CurrentTenant): Plugin => {
	if (plugin.id !== "sso") return plugin;
	const options = plugin.options as { domainVerification?: { enabled?: boolean; tokenPrefix?: string } } | undefined;
	const domainsAreVerified = options?.domainVerification?.enabled === true;
	const tokenPrefix = options?.domainVerification?.tokenPrefix || "better-auth-token";
	const scoped: Record<string, Endpoint> = {};
	for (const [name, endpoint] of Object.entries(plugin.endpoints ?? {})) {
		scoped[name] = around(endpoint as Endpoint, async (ctx, run) => {
			await assertSamlMessages(ctx);
			const checked = await withCheckedIssuer(ctx);
			const tenantId = current();
			return tenantId === PLATFORM
				? run(checked)
				: runInTenant(checked, { tenantId, domainsAreVerified, tokenPrefix }, () => run(checked));
		});
	}
	return { ...plugin, init: allowCrossSite(plugin.init), endpoints: { ...scoped, ...returnEndpoints(scoped) } };
};

type Run = (ctx: GenericEndpointContext) => Promise<unknown>;

/** Wraps an endpoint. `advice` runs after the engine's before-hooks. */
const around = (endpoint: Endpoint, advice: (ctx: GenericEndpointContext, run: Run) => Promise<unknown>): Endpoint =>
	Object.assign(
		(ctx: GenericEndpointContext) => advice(ctx, (changed) => endpoint(changed as never) as Promise<unknown>),
		{ path: endpoint.path, options: endpoint.options },
	) as Endpoint;

type Init = NonNullable<BetterAuthPlugin["init"]>;

/**
 * Identity providers post SAML responses from their own site. The plugin exempts its own path prefixes from the origin
 * check.
 */
const allowCrossSite = (init: Init | undefined): Init =>
	(async (context: AuthContext) => {
		const started = await init?.(context);
		const skipped = started?.context?.skipOriginCheck;
		if (!Array.isArray(skipped)) return started;
		return { ...started, context: { ...started?.context, skipOriginCheck: [...skipped, ADDRESS_PREFIX] } };
	}) as Init;

/**
 * Rejects an authorization response that names another issuer than the flow's provider (RFC 9207, section 2.4). The
 * engine then handles it like an error from the provider: it does not redeem the code, and redirects to the flow's
 * error page.
 */
const withCheckedIssuer = async (ctx: GenericEndpointContext): Promise<GenericEndpointContext> => {
	const issuer: unknown = ctx.query?.iss;
	if (endpointOf(ctx.path).ssoProtocol !== "oidc" || issuer === undefined) return ctx;
	const provider = await findSsoProvider(ctx, String(ctx.params?.providerId));
	if (provider === null || provider.issuer === issuer) return ctx;
	const { state } = ctx.query ?? {};
	return { ...ctx, query: { state, error: "issuer_mismatch", error_description: "response_of_another_issuer" } };
};
