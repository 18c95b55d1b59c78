import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { endpointOf } from "../engine/endpoints.ts";
import { SSO_ERROR_CODES } from "../sso-error-codes.ts";
import type { SsoProviderRow } from "./provider-authority.ts";

type Adapter = GenericEndpointContext["context"]["adapter"];
type Query = Parameters<Adapter["findMany"]>[0];

/**
 * Sends users to an identity provider by the domain of their email only where the provider has proven to control the
 * domain. Null for requests that route nobody.
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
		// of several providers with one domain, an unverified one does not stand in the way
		findOne: async (query) =>
			(isByDomain(query) ? ((await verified(query))[0] ?? null) : adapter.findOne(query)) as never,
		findMany: async (query) => (isByDomain(query) ? verified(query) : adapter.findMany(query)) as never,
	};
};

/** The plugin looks a provider up by its name, by its organization, or by a domain: among those that claim it, then among all. */
const isByDomain = ({ model, where = [] }: Pick<Query, "model" | "where">): boolean =>
	model === "ssoProvider" && !where.some(({ field }) => field === "providerId" || field === "organizationId");
