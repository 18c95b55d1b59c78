import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { SSO_ERROR_CODES } from "../../errors/sso-error-codes.ts";
import type { SsoProviderRow } from "./provider-authority.ts";

type Adapter = GenericEndpointContext["context"]["adapter"];
type Query = Parameters<Adapter["findMany"]>[0];

/**
 * Routes users to an identity provider by email domain only if that domain is verified for the provider. Null for
 * requests that start no sign-in.
 */
export const verifiedDomainsOnly = (
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
