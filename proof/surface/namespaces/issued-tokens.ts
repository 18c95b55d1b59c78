import type { IdentifierGroup } from "./identifier.ts";

const CLAIM = {
	file: "packages/tenants/test/tokens/tokens.security.test.ts",
	title: "accepts a token in its own tenant",
};
const OAUTH = {
	file: "packages/tenants/test/compose/oauth-provider.security.test.ts",
	title: "resolves the tenant from the client",
};
const KEYS = {
	file: "packages/tenants/test/compose/oauth-keys.security.test.ts",
	title: "are served where the tenant's metadata says",
};

/** What this issuer provides to clients and resource servers. */
export const ISSUED_TOKENS: IdentifierGroup = {
	title: "Issued tokens",
	identifiers: [
		{
			name: "issuer and audience",
			sources: [
				"claim session token: iss",
				"claim session token: aud",
				"claim access token: iss",
				"claim access token: aud",
				"claim ID token: iss",
				"by hand: iss of an authorization response (RFC 9207)",
				"unique oauthResource.tenantUnique_identifier",
				"unique oauthClientResource(tenantId, clientId, resourceId)",
			],
			namespace: "resource servers and clients: one issuer, and mostly one audience, for all tenants",
			separatedBy:
				"The claim `tenant_id`, which no caller can set (`src/scope/compose/tenant-tokens.ts`) and the helper requires (`src/tokens.ts`); see [tokens.md](tokens.md).",
			test: CLAIM,
		},
		{
			name: "tenant claim",
			sources: ["claim session token: tenant_id", "claim access token: tenant_id", "claim ID token: tenant_id"],
			namespace: "payloads that users, clients and the application's callbacks contribute to",
			separatedBy: "Set after every other source of claims (`src/scope/compose/tenant-tokens.ts`).",
			test: {
				file: "packages/tenants/test/compose/tenant-claim.security.test.ts",
				title: "whatever users and payloads claim",
			},
		},
		{
			name: "subject",
			sources: ["claim session token: sub", "claim access token: sub", "claim ID token: sub"],
			namespace: "users in clients and resource servers, which identify them by issuer and subject",
			separatedBy:
				"User ids are one primary key for all tenants. A custom `getSubject` is not unique, and a deleted id can be imported elsewhere: identify users by `tenant_id` and `sub` ([tokens.md](tokens.md)).",
			test: CLAIM,
		},
		{
			name: "key id and keys",
			sources: ["claim session token: kid", "claim access token: kid", "claim ID token: kid", "by hand: /jwks"],
			namespace: "JWKS clients and HTTP caches, which store keys by URL",
			separatedBy:
				"Each tenant has its own keys at `/jwks?tenantId=…`. The tenant's metadata contains this URL (`src/scope/request/per-tenant-instances.ts`), and the helper uses it (`src/tokens.ts`).",
			test: KEYS,
		},
		{
			name: "client id",
			sources: [
				"unique oauthClient.clientId",
				"claim access token: azp",
				"claim access token: client_id",
				"claim ID token: aud",
				"carried /oauth2/authorize",
				"carried /oauth2/token",
				"carried /oauth2/introspect",
				"carried /oauth2/revoke",
				"carried /oauth2/end-session",
				"carried /oauth2/public-client",
				"carried /oauth2/public-client-prelogin",
			],
			namespace: "one set of OAuth endpoints for all tenants",
			separatedBy:
				"Random and unique among all tenants (`src/scope/compose/scope-plugin.ts`), so it identifies the tenant. Codes, consents and tokens are rows of that tenant. A client id that is a URL belongs to the tenant that used it first ([plugins.md](plugins.md)).",
			test: OAUTH,
		},
		{
			name: "access token, refresh token, code",
			sources: [
				"unique oauthAccessToken.token",
				"unique oauthRefreshToken.token",
				"claim access token: jti",
				"claim access token: sid",
				"carried /oauth2/userinfo",
				"verification <43>",
			],
			namespace: "one set of OAuth endpoints for all tenants",
			separatedBy:
				"Random, and only found in the tenant of its client (`src/scope/request/credential-columns.ts`, `src/scope/data/adapter.ts`).",
			test: OAUTH,
		},
		{
			name: "signed query of a pending authorization",
			sources: ["by hand: oauth_query", "by hand: cookie oauth_logout_confirmation"],
			namespace: "login and consent pages of all tenants; one cookie for all tenants of a host",
			separatedBy: "Signed with the tenant's secret (`src/scope/secrets/secrets.ts`).",
			test: {
				file: "proof/surface/suite.ts",
				title: "reveals nothing of another tenant or the platform to a tenant's admin",
			},
		},
		{
			name: "logout token",
			sources: ["by hand: logout+jwt"],
			namespace: "back-channel logout URLs of clients",
			separatedBy:
				"Its audience is one tenant's client, and it contains `tenant_id` (`src/scope/compose/tenant-tokens.ts`).",
			test: {
				file: "packages/tenants/test/compose/tenant-claim.security.test.ts",
				title: "carry their tenant in back-channel logout",
			},
		},
		{
			name: "metadata of the issuer",
			sources: [
				"request hook oauth-provider",
				"by hand: /.well-known/openid-configuration",
				"by hand: /.well-known/oauth-authorization-server",
			],
			namespace: "one well-known URL for all tenants",
			separatedBy:
				"Nothing: it belongs to the platform, and its keys verify no tenant's token. Server code provides a tenant's metadata ([tokens.md](tokens.md)).",
			test: KEYS,
		},
	],
};
