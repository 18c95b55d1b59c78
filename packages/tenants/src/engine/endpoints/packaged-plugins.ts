import type { EndpointTable } from "../endpoint.ts";

/** The endpoints of the official plugins that are published as separate packages. */
export const PACKAGED_ENDPOINTS: EndpointTable = {
	// passkey
	"/passkey/generate-register-options": { kind: "member" },
	"/passkey/generate-authenticate-options": { kind: "open" },
	"/passkey/verify-registration": { kind: "member", verifiesPasskey: true },
	"/passkey/verify-authentication": { kind: "open", verifiesPasskey: true },
	"/passkey/list-user-passkeys": { kind: "member" },
	"/passkey/delete-passkey": { kind: "member" },
	"/passkey/update-passkey": { kind: "member" },

	// API key
	"/api-key/create": { kind: "member" },
	"/api-key/get": { kind: "member" },
	"/api-key/update": { kind: "member" },
	"/api-key/delete": { kind: "member" },
	"/api-key/list": { kind: "member" },

	// single sign-on; the paths with a tenant id belong to this package
	"/sso/register": { kind: "member", endsFlow: "none", callsSsoProvider: true, manages: "sso-provider:register" },
	"/sso/providers": { kind: "member", endsFlow: "none", manages: "sso-provider:list" },
	"/sso/get-provider": { kind: "member", endsFlow: "none", manages: "sso-provider:list" },
	"/sso/update-provider": { kind: "member", endsFlow: "none", manages: "sso-provider:update" },
	"/sso/delete-provider": { kind: "member", endsFlow: "none", manages: "sso-provider:delete" },
	"/sso/request-domain-verification": { kind: "member", endsFlow: "none", manages: "sso-provider:verify-domain" },
	"/sso/verify-domain": { kind: "member", endsFlow: "none", manages: "sso-provider:verify-domain" },
	"/sso/saml2/sp/metadata": { kind: "open", endsFlow: "none" },
	"/tenants/:tenantId/sso/saml2/sp/metadata": { kind: "addressed" },
	"/sso/callback": { kind: "platform", endsFlow: "sso" },
	"/sso/callback/:providerId": { kind: "platform", endsFlow: "sso", ssoProtocol: "oidc", callsSsoProvider: true },
	"/tenants/:tenantId/sso/callback/:providerId": { kind: "addressed" },
	"/sso/saml2/sp/acs/:providerId": { kind: "platform", endsFlow: "none", ssoProtocol: "saml" },
	"/tenants/:tenantId/sso/saml2/sp/acs/:providerId": { kind: "addressed" },
	"/sso/saml2/sp/slo/:providerId": { kind: "platform", endsFlow: "none" },
	"/tenants/:tenantId/sso/saml2/sp/slo/:providerId": { kind: "addressed" },
	"/sso/saml2/logout/:providerId": { kind: "member", endsFlow: "none" },
	"/sign-in/sso": { kind: "entry", startsSso: true, callsSsoProvider: true },

	// SCIM
	"/scim/v2/Users": { kind: "open", carries: "scim" },
	"/scim/v2/Users/:userId": { kind: "open", carries: "scim" },
	"/scim/v2/Groups": { kind: "open", carries: "scim" },
	"/scim/v2/Groups/:groupId": { kind: "open", carries: "scim" },
	"/scim/v2/ServiceProviderConfig": { kind: "open", carries: "scim" },
	"/scim/v2/Schemas": { kind: "open", carries: "scim" },
	"/scim/v2/Schemas/:schemaId": { kind: "open", carries: "scim" },
	"/scim/v2/ResourceTypes": { kind: "open", carries: "scim" },
	"/scim/v2/ResourceTypes/:resourceTypeId": { kind: "open", carries: "scim" },

	// OAuth provider
	"/oauth2/authorize": { kind: "member", carries: "oauth-provider" },
	"/oauth2/consent": { kind: "member" },
	"/oauth2/continue": { kind: "member" },
	"/oauth2/token": { kind: "open", carries: "oauth-provider" },
	"/oauth2/introspect": { kind: "open", carries: "oauth-provider", returnsClaims: true },
	"/oauth2/revoke": { kind: "open", carries: "oauth-provider" },
	"/oauth2/userinfo": { kind: "open", carries: "oauth-provider", returnsClaims: true },
	"/oauth2/end-session": { kind: "member", carries: "oauth-provider" },
	"/oauth2/end-session/confirm": { kind: "member" },
	"/oauth2/register": { kind: "member" },
	"/oauth2/create-client": { kind: "member" },
	"/oauth2/get-client": { kind: "member" },
	"/oauth2/public-client": { kind: "member", carries: "oauth-provider" },
	"/oauth2/public-client-prelogin": { kind: "open", carries: "oauth-provider" },
	"/oauth2/get-clients": { kind: "member" },
	"/oauth2/update-client": { kind: "member" },
	"/oauth2/client/rotate-secret": { kind: "member" },
	"/oauth2/delete-client": { kind: "member" },
	"/oauth2/get-consent": { kind: "member" },
	"/oauth2/get-consents": { kind: "member" },
	"/oauth2/update-consent": { kind: "member" },
	"/oauth2/delete-consent": { kind: "member" },

	// Stripe
	"/stripe/webhook": { kind: "open", carries: "stripe" },
	"/subscription/upgrade": { kind: "member" },
	"/subscription/cancel": { kind: "member" },
	"/subscription/restore": { kind: "member" },
	"/subscription/list": { kind: "member" },
	"/subscription/success": { kind: "member" },
	"/subscription/billing-portal": { kind: "member" },
};
