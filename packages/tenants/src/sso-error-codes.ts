import { withCodes } from "./error-codes.ts";

/**
 * Error codes of single sign-on inside a tenant. Separate from the codes that browsers load.
 *
 * @example
 * ```ts
 * if (error.body?.code === SSO_ERROR_CODES.SSO_PROVIDER_EXISTS.code) await deleteProvider();
 * ```
 */
export const SSO_ERROR_CODES = withCodes({
	INVALID_SSO_PROVIDER_ID: "An SSO provider id has 1 to 64 of a-z, 0-9, '-' and '_', and begins with a letter or digit",
	SSO_PROVIDER_ID_RESERVED: "This provider id is the name of a social provider; choose another",
	SSO_PROVIDER_EXISTS: "The tenant has an SSO provider of this name; delete it first",
	SSO_ENTITY_ID_NOT_ALLOWED:
		"The server chooses a tenant's SAML entity ID and audience; leave out audience, spMetadata.entityID and spMetadata.metadata",
	INVALID_SSO_ENTRY_POINT: "The identity provider's sign-in address is not an http or https URL",
	SSO_DOMAIN_ROUTING_DISABLED: "Signing in by email domain needs verified domains; send a providerId",
});
