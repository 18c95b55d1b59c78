import * as z from "zod";

/** A row of the engine's `ssoProvider` table, as far as this plugin reads it. */
export type SsoProviderRow = {
	providerId: string;
	issuer: string;
	domain: string;
	domainVerified?: boolean | null;
	userId?: string | null;
	organizationId?: string | null;
	oidcConfig?: string | null;
	samlConfig?: string | null;
};

const samlIssuer = z.looseObject({
	idpMetadata: z.looseObject({ entityID: z.string().optional(), metadata: z.string().optional() }).optional(),
});

/** Who names the users of an SSO provider. It becomes part of every account id (see oauth/authority.ts). */
export const ssoAuthority = (provider: SsoProviderRow, protocol: "oidc" | "saml"): string =>
	JSON.stringify([`sso-${protocol}`, protocol === "oidc" ? provider.issuer : samlIssuerOf(provider)]);

/** In SAML the row's `issuer` names the service provider. The identity provider is named by its own metadata. */
const samlIssuerOf = ({ samlConfig, providerId }: SsoProviderRow): string => {
	const { idpMetadata } = samlIssuer.parse(JSON.parse(samlConfig ?? "{}"));
	if (!idpMetadata?.metadata) return idpMetadata?.entityID ?? providerId;
	// a cert that is renewed changes the document and not its entity ID
	return /\sentityID\s?=\s?["']([^"']{1,1024})["']/.exec(idpMetadata.metadata)?.[1] ?? idpMetadata.metadata;
};
