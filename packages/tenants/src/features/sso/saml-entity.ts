import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { SSO_ERROR_CODES } from "../../errors/sso-error-codes.ts";

type Place = { tenantId: string; providerId: string };

/**
 * The SAML entity ID of a tenant's service provider, which is the audience of every assertion it accepts. If tenants
 * could choose it, an assertion for one tenant could be used in another. It contains no host, so a new domain does not
 * change it.
 */
const samlEntityOf = ({ tenantId, providerId }: Place): string =>
	`urn:better-auth-tenants:sp:${tenantId}:${providerId}`;

const config = z.looseObject({
	audience: z.string().nullish(),
	spMetadata: z.looseObject({ entityID: z.string().nullish(), metadata: z.string().nullish() }).optional(),
});

/** Replaces the stored entity ID with the tenant's own. */
export const withTenantEntity = (samlConfig: string, place: Place): string => {
	const stored = config.parse(JSON.parse(samlConfig));
	const { metadata: _chosen, ...spMetadata } = stored.spMetadata ?? {};
	const entityID = samlEntityOf(place);
	return JSON.stringify({ ...stored, audience: entityID, spMetadata: { ...spMetadata, entityID } });
};

/** Rejects any other entity ID when a provider is registered or updated, instead of at the first sign-in. */
export const assertTenantEntity = (samlConfig: unknown, place: Place): void => {
	const sent = config.safeParse(samlConfig ?? {});
	// the engine reports malformed input
	if (!sent.success) return;
	const { audience, spMetadata } = sent.data;
	const isOther = (value: string | null | undefined): boolean => value != null && value !== samlEntityOf(place);
	if (isOther(audience) || isOther(spMetadata?.entityID) || spMetadata?.metadata != null)
		throw APIError.from("BAD_REQUEST", SSO_ERROR_CODES.SSO_ENTITY_ID_NOT_ALLOWED);
};
