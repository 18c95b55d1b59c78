import { authorizeQuery, REDIRECT, scimGroup, scimUser, ssoProvider } from "./packaged-side.ts";
import { addressed, body, form, type MakeInput, machine, member, open, platform, query, type Row } from "./row.ts";
import type { Side } from "./side.ts";

const passkeyId = body(({ passkey: { id } }) => ({ id, name: "Renamed" }));
const PATCH = { schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"] };

const scim = (input: MakeInput): Row => machine(input, (side) => side.scim.headers);
const scimUserRow: MakeInput = (side, _, method) => ({
	params: { userId: side.scim.userId },
	body:
		method === "PATCH"
			? { ...PATCH, Operations: [{ op: "replace", path: "active", value: false }] }
			: { ...scimUser("dora@corp.example"), displayName: "Renamed" },
});
const scimGroupRow: MakeInput = (side, _, method) => ({
	params: { groupId: side.scim.groupId },
	body:
		method === "PATCH"
			? { ...PATCH, Operations: [{ op: "add", path: "members", value: [{ value: side.scim.otherUserId }] }] }
			: scimGroup("renamed-group", side.scim.otherUserId),
});

const credentials = ({ oauth }: Side) => ({ client_id: oauth.client_id, client_secret: oauth.client_secret });
const clientBody = body(({ oauth }) => ({ client_id: oauth.client_id }));
const clientQuery = query(({ oauth }) => ({ client_id: oauth.client_id }));
const authorize: MakeInput = ({ oauth }, _, method) => {
	const sent = authorizeQuery(oauth.client_id, oauth.verifier);
	return method === "POST" ? { form: sent } : { query: sent };
};
const endSession: MakeInput = ({ oauth }, _, method) => {
	const sent = { id_token_hint: oauth.idToken, client_id: oauth.client_id, post_logout_redirect_uri: REDIRECT };
	return method === "POST" ? { form: sent } : { query: sent };
};

const ssoReturn: MakeInput = ({ sso, state }) => ({
	params: { providerId: sso.oidc },
	query: { code: "code", state },
});
const samlMetadata = query(({ sso }) => ({ providerId: sso.saml }));
const samlReturn: MakeInput = ({ sso }, _, method) => ({
	params: { providerId: sso.saml },
	...(method === "POST" ? { form: { SAMLResponse: Buffer.from("<Response/>").toString("base64") } } : {}),
});
const subscription = body(({ stripe, boss }) => ({
	subscriptionId: stripe.subscriptionId,
	referenceId: boss.id,
	returnUrl: "/account",
}));

/** The endpoints of the separately published plugins. */
export const PACKAGED_SURFACE: Record<string, Row> = {
	// passkey
	"/passkey/generate-register-options": member(query(({ boss }) => ({ name: boss.id }))),
	"/passkey/generate-authenticate-options": open(() => ({})),
	"/passkey/verify-registration": {
		...member(body(({ passkey }) => ({ response: passkey.secondResponse, name: "New" }))),
		caller: ({ passkey }) => passkey.registering,
		// a response to another challenge
		fails: 500,
	},
	"/passkey/verify-authentication": {
		...open(body(({ passkey }) => ({ response: passkey.assertion }))),
		caller: ({ passkey }) => passkey.signingIn,
	},
	"/passkey/list-user-passkeys": member(),
	"/passkey/delete-passkey": member(passkeyId),
	"/passkey/update-passkey": member(passkeyId),

	// API key
	"/api-key/create": member(body(({ organizationId }) => ({ name: "New", organizationId }))),
	"/api-key/get": member(query(({ apiKey }) => ({ id: apiKey.id }))),
	"/api-key/update": member(body(({ apiKey }) => ({ keyId: apiKey.id, name: "Renamed" }))),
	"/api-key/delete": member(body(({ apiKey }) => ({ keyId: apiKey.id }))),
	"/api-key/list": member(),

	// single sign-on
	"/sso/register": member(body(({ organizationId }) => ({ ...ssoProvider("new-idp"), organizationId }))),
	"/sso/providers": member(),
	"/sso/get-provider": member(query(({ sso }) => ({ providerId: sso.oidc }))),
	"/sso/update-provider": member(body(({ sso }) => ({ providerId: sso.oidc, domain: "renamed.example" }))),
	"/sso/delete-provider": member(body(({ sso }) => ({ providerId: sso.oidc }))),
	"/sso/request-domain-verification": member(body(({ sso }) => ({ providerId: sso.oidc }))),
	// it queries DNS
	"/sso/verify-domain": { ...member(body(({ sso }) => ({ providerId: sso.oidc }))), fails: 502 },
	"/sso/saml2/sp/metadata": open(samlMetadata),
	"/tenants/:tenantId/sso/saml2/sp/metadata": addressed(samlMetadata),
	"/sso/callback": platform(query(({ state }) => ({ code: "code", state }))),
	"/sso/callback/:providerId": platform(ssoReturn),
	"/tenants/:tenantId/sso/callback/:providerId": addressed(ssoReturn),
	"/sso/saml2/sp/acs/:providerId": platform(samlReturn),
	"/tenants/:tenantId/sso/saml2/sp/acs/:providerId": addressed(samlReturn),
	"/sso/saml2/sp/slo/:providerId": platform(samlReturn),
	"/tenants/:tenantId/sso/saml2/sp/slo/:providerId": addressed(samlReturn),
	"/sso/saml2/logout/:providerId": member(({ sso }) => ({ params: { providerId: sso.saml }, body: {} })),
	"/sign-in/sso": {
		kind: "entry",
		input: body(({ sso }) => ({ providerId: sso.oidc, callbackURL: "/home" })),
	},

	// SCIM
	"/scim/v2/Users": scim((_side, _named, method) =>
		method === "POST"
			? { body: scimUser("new@corp.example") }
			: { query: { filter: 'userName eq "dora@corp.example"' } },
	),
	"/scim/v2/Users/:userId": scim(scimUserRow),
	"/scim/v2/Groups": scim((side, _named, method) =>
		method === "POST" ? { body: scimGroup("new-group", side.scim.userId) } : {},
	),
	"/scim/v2/Groups/:groupId": scim(scimGroupRow),
	"/scim/v2/ServiceProviderConfig": scim(() => ({})),
	"/scim/v2/Schemas": scim(() => ({})),
	"/scim/v2/Schemas/:schemaId": scim(() => ({ params: { schemaId: "urn:ietf:params:scim:schemas:core:2.0:User" } })),
	"/scim/v2/ResourceTypes": scim(() => ({})),
	"/scim/v2/ResourceTypes/:resourceTypeId": scim(() => ({ params: { resourceTypeId: "User" } })),

	// OAuth provider
	"/oauth2/authorize": { ...member(authorize), carriesCredential: true },
	"/oauth2/consent": member(body(({ oauth }) => ({ accept: true, oauth_query: oauth.query }))),
	"/oauth2/continue": member(body(({ oauth }) => ({ postLogin: true, oauth_query: oauth.query }))),
	"/oauth2/token": machine(
		form((side) => ({
			...credentials(side),
			grant_type: "authorization_code",
			code: side.oauth.code,
			redirect_uri: REDIRECT,
			code_verifier: side.oauth.verifier,
		})),
	),
	"/oauth2/introspect": machine(
		form((side) => ({ ...credentials(side), token: side.oauth.jwtAccessToken, token_type_hint: "access_token" })),
	),
	"/oauth2/revoke": machine(
		form((side) => ({ ...credentials(side), token: side.oauth.refreshToken, token_type_hint: "refresh_token" })),
	),
	"/oauth2/userinfo": machine(
		(_side, _named, method) => (method === "POST" ? { form: {} } : {}),
		({ oauth }) => ({ authorization: `Bearer ${oauth.accessToken}` }),
	),
	"/oauth2/end-session": { ...member(endSession), carriesCredential: true },
	"/oauth2/end-session/confirm": member(form(() => ({}))),
	"/oauth2/register": member(body(() => ({ client_name: "New", redirect_uris: [REDIRECT] }))),
	"/oauth2/create-client": member(body(() => ({ client_name: "New", redirect_uris: [REDIRECT] }))),
	"/oauth2/get-client": member(clientQuery),
	"/oauth2/public-client": { ...member(clientQuery), carriesCredential: true },
	"/oauth2/public-client-prelogin": machine(
		body(({ oauth }) => ({ client_id: oauth.pendingClientId, oauth_query: oauth.query })),
	),
	"/oauth2/get-clients": member(),
	"/oauth2/update-client": member(
		body(({ oauth }) => ({ client_id: oauth.client_id, update: { client_name: "New" } })),
	),
	"/oauth2/client/rotate-secret": member(clientBody),
	"/oauth2/delete-client": member(body(({ oauth }) => ({ client_id: oauth.pendingClientId }))),
	"/oauth2/get-consent": member(query(({ oauth }) => ({ id: oauth.consentId }))),
	"/oauth2/get-consents": member(),
	"/oauth2/update-consent": member(body(({ oauth }) => ({ id: oauth.consentId, update: { scopes: ["openid"] } }))),
	"/oauth2/delete-consent": member(body(({ oauth }) => ({ id: oauth.consentId }))),

	// Stripe
	"/stripe/webhook": machine(
		({ stripe }) => ({ body: stripe.webhook.payload }),
		({ stripe }) => ({ "stripe-signature": stripe.webhook.signature }),
	),
	"/subscription/upgrade": member(
		body(({ boss, stripe }) => ({
			plan: "basic",
			referenceId: boss.id,
			subscriptionId: stripe.subscriptionId,
			successUrl: "/paid",
			cancelUrl: "/",
		})),
	),
	"/subscription/cancel": member(subscription),
	"/subscription/restore": member(subscription),
	"/subscription/list": member(query(({ boss }) => ({ referenceId: boss.id }))),
	"/subscription/success": member(
		query(({ stripe }) => ({ callbackURL: "/paid", checkoutSessionId: stripe.checkoutId })),
	),
	"/subscription/billing-portal": member(body(({ boss }) => ({ referenceId: boss.id, returnUrl: "/account" }))),
};

/** Entries of auth.api that are only for the application's own code. */
export const PACKAGED_SERVER_ONLY = [
	"adminCreateOAuthClient",
	"adminCreateOAuthResource",
	"adminDeleteOAuthResource",
	"adminGetOAuthResource",
	"adminLinkClientResource",
	"adminListOAuthResources",
	"adminUnlinkClientResource",
	"adminUpdateOAuthClient",
	"adminUpdateOAuthResource",
	"createSCIMManagedConnection",
	"decommissionSCIMConnection",
	"decommissionSCIMManagedConnection",
	"deleteAllExpiredApiKeys",
	"getOAuthServerConfig",
	"getOpenIdConfig",
	"getSCIMManagedConnection",
	"listSCIMManagedConnectionEvents",
	"listSCIMManagedConnections",
	"reconcileSCIMProjection",
	"revokeSCIMManagedCredential",
	"rotateSCIMManagedCredential",
	"verifyApiKey",
];
