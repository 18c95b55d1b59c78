import { withCodes } from "./error-codes.ts";

/** Error codes of single sign-on and directories inside a tenant. Separate from the codes that browsers load. */
export const SSO_ERROR_CODES = withCodes({
	INVALID_SSO_PROVIDER_ID:
		"An SSO provider id must have 1 to 64 of a-z, 0-9, '-' and '_', and start with a letter or digit",
	SSO_PROVIDER_ID_RESERVED: "This provider id is reserved for a social provider. Choose another one",
	SSO_PROVIDER_EXISTS: "The tenant has an SSO provider with this id. Delete it first",
	SSO_ENTITY_ID_NOT_ALLOWED:
		"The server sets a tenant's SAML entity ID and audience. Remove audience, spMetadata.entityID and spMetadata.metadata",
	INVALID_SSO_ENTRY_POINT: "The identity provider's sign-in URL must be http or https",
	INVALID_SAML_MESSAGE:
		"The SAML message or metadata cannot be decoded, has too many elements or attributes, or names two requests. Send fewer attributes",
	USER_DEACTIVATED: "The directory has deactivated this user. Activate the user there",
	SSO_DOMAIN_ROUTING_DISABLED: "Sign-in by email domain requires verified domains. Send a providerId",
});
