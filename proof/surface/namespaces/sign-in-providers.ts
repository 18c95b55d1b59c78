import type { IdentifierGroup } from "./identifier.ts";

const STATE = {
	file: "packages/tenants/test/oauth/state.security.test.ts",
	title: "belongs to its tenant, whatever header, query or edited tag",
};
const SSO = {
	file: "packages/tenants/test/sso/sso-mixup.security.test.ts",
	title: "gives each tenant and provider its own redirect URI",
};
const SAML = { file: "packages/tenants/test/sso/saml.security.test.ts", title: "at its address or at the platform's" };
const DOMAIN = {
	file: "packages/tenants/test/sso/sso-takeover.security.test.ts",
	title: "is not verified by a record below another domain",
};

/** What an identity provider returns, and where to. */
export const SIGN_IN_PROVIDERS: IdentifierGroup = {
	title: "Identity providers",
	identifiers: [
		{
			name: "social provider id",
			sources: [
				"unique tenantOauthConfig(tenantId, providerId)",
				"path /callback/:id",
				"path /tenant/callback/:id",
				"path /tenant/callback/:id/:tenant",
				"path /tenant/shared-callback/:id",
			],
			namespace: "redirect URIs: one for all tenants of a well-known server (OAuth mix-up, RFC 9700, section 4.4)",
			separatedBy:
				"The flow is bound to tenant, provider, credentials and callback (`src/features/oauth/bind-flow.ts`, `src/features/oauth/verify-flow.ts`). A tenant's own server has a redirect URI with the tenant's id (`src/features/oauth/build-provider.ts`).",
			test: { file: "packages/tenants/test/oauth/authority.security.test.ts", title: "the mix-up ends in a refusal" },
		},
		{
			name: "OAuth state",
			sources: [
				"carried /callback/:id",
				"carried /tenant/callback/:id",
				"carried /tenant/callback/:id/:tenant",
				"carried /tenant/shared-callback/:id",
				"cookie state",
				"verification auth-state:<32>",
			],
			namespace: "the query of a redirect; one cookie for all tenants of a host",
			separatedBy:
				"Tagged with the tenant, valid once in its rows, and bound to a cookie that is signed with its secret (`src/features/oauth/single-use-state.ts`). Two states in one request select no tenant (`src/scope/request/tagged-input.ts`).",
			test: STATE,
		},
		{
			name: "code of the callback host",
			sources: ["by hand: hand_over"],
			namespace: "the query of a redirect from `oauth.callbackHost` to the tenant's host",
			separatedBy:
				"Only its hash is stored, in the handed-over state of one tenant. It is valid once, for 60 seconds, with the cookie of that state (`src/features/oauth/hand-over.ts`).",
			test: {
				file: "packages/tenants/test/oauth/callback-host.security.test.ts",
				title: "refuses the hand-over code of another flow in the same tenant",
			},
		},
		{
			name: "state and profile of the OAuth proxy",
			sources: ["path /callback/:id/oauth-proxy", "carried /callback/:id/oauth-proxy"],
			namespace: "URLs of two deployments; encrypted values that anyone can pass from one to the other",
			separatedBy:
				"Encrypted with the tenant's secret; a key for all tenants is refused at startup (`src/scope/compose/shared-state.ts`).",
			test: { file: "packages/tenants/test/oauth/proxy.security.test.ts", title: "signs no user in on the platform" },
		},
		{
			name: "popup marker and origin",
			sources: ["cookie oauth_popup", "by hand: trustedOrigins"],
			namespace: "one cookie for all tenants of a host; one list of trusted origins",
			separatedBy:
				"The cookie is signed with the tenant's secret. Popups do not complete in a tenant: the flow ends at the tenant's callback. On the platform, a popup passes the session token to any trusted origin, so do not list tenants' origins there: `trustedOrigins` as a function separates them ([limits.md](limits.md)).",
			test: { file: "packages/tenants/test/scope/trusted-origins.security.test.ts", title: "and refused in another" },
		},
		{
			name: "SSO provider id",
			sources: [
				"unique ssoProvider(tenantId, providerId)",
				"path /tenants/:tenantId/sso/callback/:providerId",
				"path /tenants/:tenantId/sso/saml2/sp/acs/:providerId",
				"path /tenants/:tenantId/sso/saml2/sp/slo/:providerId",
				"path /tenants/:tenantId/sso/saml2/sp/metadata",
				"path /sso/callback/:providerId",
				"path /sso/saml2/sp/acs/:providerId",
				"path /sso/saml2/sp/slo/:providerId",
				"path /sso/saml2/logout/:providerId",
			],
			namespace: "redirect URIs and SAML endpoints; the account key of its users",
			separatedBy:
				"URLs contain the tenant's id (`src/endpoints/tenant-address.ts`), and the SSO plugin's own URLs only serve the platform (`src/endpoints/endpoints.ts`). Account ids contain the provider's authority (`src/features/sso/sso-accounts.ts`), and names of social providers are refused (`src/features/sso/manage-providers.ts`).",
			test: SSO,
		},
		{
			name: "SAML entity id",
			sources: ["by hand: SAML SP entity id"],
			namespace: "identity providers, and the audience of their assertions",
			separatedBy: "The server derives it from tenant and provider (`src/features/sso/saml-entity.ts`).",
			test: SAML,
		},
		{
			name: "domain of an SSO provider",
			sources: [
				"verification _better-auth-token-<name>",
				"by hand: DNS TXT record _better-auth-token-<providerId>.<domain>",
			],
			namespace: "DNS: tenants whose providers have the same name use the same record name for a domain",
			separatedBy:
				"The record's value is random and a row of one tenant. A verified domain only counts in that tenant. A provider id has no dot, so the record is directly below the domain (`src/features/sso/manage-providers.ts`).",
			test: DOMAIN,
		},
	],
};
