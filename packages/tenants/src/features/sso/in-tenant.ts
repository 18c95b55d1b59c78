import type { BetterAuthOptions, GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { tenantAddress } from "../../endpoints/tenant-address.ts";
import { SSO_ERROR_CODES } from "../../errors/sso-error-codes.ts";
import { withBoundedFetch } from "../oauth/bounded-fetch.ts";
import { callBoundsOf } from "../oauth/bounded-provider.ts";
import { findSsoProvider } from "./find-provider.ts";
import { manageProviders } from "./manage-providers.ts";
import { type SsoProviderRow, ssoAuthority } from "./provider-authority.ts";
import { accountsOfProvider } from "./sso-accounts.ts";

type InTenant = {
	tenantId: string;
	domainsAreVerified: boolean;
	/** in the name of the DNS record that verifies a domain */
	tokenPrefix: string;
};

/** Runs an endpoint of the SSO plugin in a tenant. Restores the context afterwards, for the hooks that follow. */
export const runInTenant = async <Result>(
	ctx: GenericEndpointContext,
	{ tenantId, domainsAreVerified, tokenPrefix }: InTenant,
	run: () => Promise<Result>,
): Promise<Result> => {
	const { context } = ctx;
	const { baseURL, options, adapter, internalAdapter, session } = context;
	try {
		await manageProviders(ctx, tenantId);
		await endPendingVerification(ctx, tokenPrefix);
		const address = tenantAddress(baseURL, tenantId);
		Object.assign(context, {
			baseURL: address,
			options: withPagesAt(options, { address, baseURL }),
			adapter: verifiedDomainsOnly(ctx, { domainsAreVerified }) ?? context.adapter,
		});
		await limitProvider(ctx);
		const result = await boundProviderCalls(ctx, run);
		if (endpointOf(ctx.path).startsSso) assertWebAddress(result);
		return result;
	} finally {
		Object.assign(context, { baseURL, options, adapter, internalAdapter, session });
	}
};

/** What makes another identity provider of a provider, or of its name. */
const ENDS_VERIFICATION = new Set<string | null | undefined>([
	"sso-provider:register",
	"sso-provider:update",
	"sso-provider:delete",
]);

/**
 * Before a change of a provider, ends the verification of its domain that is pending. Otherwise its DNS record, which stays, would
 * verify the next identity provider as well.
 */
const endPendingVerification = async (
	{ path, body, context }: GenericEndpointContext,
	prefix: string,
): Promise<void> => {
	if (!ENDS_VERIFICATION.has(endpointOf(path).manages)) return;
	await context.internalAdapter.deleteVerificationByIdentifier(`_${prefix}-${String(body?.providerId)}`);
};

/** The response of a sign-in, as the engine passes it on. */
const started = z.looseObject({ response: z.looseObject({ url: z.string() }).optional().catch(undefined) });

/** A tenant chooses the URL of its identity provider. It must be http or https, for example not `javascript:`. */
const assertWebAddress = (result: unknown): void => {
	const { response } = started.parse(result);
	if (response !== undefined && !/^https?:\/\//i.test(response.url))
		throw APIError.from("BAD_REQUEST", SSO_ERROR_CODES.INVALID_SSO_ENTRY_POINT);
};

/** Keeps the URLs of the engine's error page and of links in emails. */
const withPagesAt = (
	options: BetterAuthOptions,
	{ address, baseURL }: { address: string; baseURL: string },
): BetterAuthOptions => {
	const send = options.emailVerification?.sendVerificationEmail;
	return {
		...options,
		onAPIError: { ...options.onAPIError, errorURL: options.onAPIError?.errorURL ?? `${baseURL}/error` },
		...(send
			? {
					emailVerification: {
						...options.emailVerification,
						sendVerificationEmail: (mail, request) =>
							send({ ...mail, url: mail.url.replace(`${address}/`, `${baseURL}/`) }, request),
					},
				}
			: {}),
	};
};

/** On a provider's callback, limits the users and accounts that the engine sees to those the provider may see. */
const limitProvider = async (ctx: GenericEndpointContext): Promise<void> => {
	const { ssoProtocol: protocol } = endpointOf(ctx.path);
	const provider = protocol && (await findSsoProvider(ctx, String(ctx.params?.providerId)));
	if (provider) {
		ctx.context.internalAdapter = accountsOfProvider(ctx.context, provider, ssoAuthority(provider, protocol));
	}
};

/**
 * Limits the SSO plugin's calls to an identity provider in the same way as calls to social providers: a deadline, a
 * maximum size, no redirects, and only public addresses unless the application trusts the origin. The plugin checks
 * addresses too, but its connection then resolves the name a second time.
 *
 * The limits end with the plugin's first transaction, because then all calls to the provider are done. The rest
 * includes the application's own code (`provisionUser`, database hooks, emails).
 */
const boundProviderCalls = <Result>(ctx: GenericEndpointContext, run: () => Promise<Result>): Promise<Result> => {
	if (!endpointOf(ctx.path).callsSsoProvider) return run();
	const { context } = ctx;
	const { adapter } = context;
	const { deadline, allowPrivateHosts } = callBoundsOf(ctx)();
	let isOver = false;
	context.adapter = {
		...adapter,
		transaction: (write) => {
			isOver = true;
			return adapter.transaction(write);
		},
	};
	const bounds = {
		signal: deadline(),
		publicHostsOnly: !allowPrivateHosts,
		trusts: (url: string) => context.isTrustedOrigin(url),
		isOver: () => isOver,
	};
	return withBoundedFetch(bounds, run);
};

type Adapter = GenericEndpointContext["context"]["adapter"];
type Query = Parameters<Adapter["findMany"]>[0];

/**
 * Routes users to an identity provider by email domain only if that domain is verified for the provider. Null for
 * requests that start no sign-in.
 */
const verifiedDomainsOnly = (
	ctx: GenericEndpointContext,
	{ domainsAreVerified }: { domainsAreVerified: boolean },
): Adapter | null => {
	if (!endpointOf(ctx.path).startsSso) return null;
	const { adapter } = ctx.context;
	const verified = async (query: Query): Promise<SsoProviderRow[]> => {
		if (!domainsAreVerified) throw APIError.from("BAD_REQUEST", SSO_ERROR_CODES.SSO_DOMAIN_ROUTING_DISABLED);
		return (await adapter.findMany<SsoProviderRow>(query)).filter(({ domainVerified }) => domainVerified === true);
	};
	return {
		...adapter,
		// if several providers have the same domain, unverified ones are skipped
		findOne: async (query) =>
			(isByDomain(query) ? ((await verified(query))[0] ?? null) : adapter.findOne(query)) as never,
		findMany: async (query) => (isByDomain(query) ? verified(query) : adapter.findMany(query)) as never,
	};
};

/**
 * The plugin looks up a provider by id, by organization or by domain. A lookup by domain first filters, then reads all.
 */
const isByDomain = ({ model, where = [] }: Pick<Query, "model" | "where">): boolean =>
	model === "ssoProvider" && !where.some(({ field }) => field === "providerId" || field === "organizationId");
