import * as z from "zod";

/** The columns of the engine's `ssoProvider` table that this plugin reads. */
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

/** The authority of an SSO provider. It is part of every account id (see oauth/authority.ts). */
export const ssoAuthority = (provider: SsoProviderRow, protocol: "oidc" | "saml"): string =>
	JSON.stringify([`sso-${protocol}`, protocol === "oidc" ? provider.issuer : samlIssuerOf(provider)]);

/** In SAML, the row's `issuer` is the service provider. The metadata names the identity provider. */
const samlIssuerOf = ({ samlConfig, providerId }: SsoProviderRow): string => {
	const { idpMetadata } = samlIssuer.parse(JSON.parse(samlConfig ?? "{}"));
	if (!idpMetadata?.metadata) return idpMetadata?.entityID ?? providerId;
	// a renewed certificate changes the document, but not its entity ID
	return /\sentityID\s?=\s?["']([^"']{1,1024})["']/.exec(idpMetadata.metadata)?.[1] ?? idpMetadata.metadata;
};
