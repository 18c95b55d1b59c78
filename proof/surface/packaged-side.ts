import { createHash, randomBytes } from "node:crypto";
import { createAuthenticator } from "test-kit/authenticator";
import { Browser } from "test-kit/browser";
import { type Answer, type CallOptions, ORIGIN } from "test-kit/world";
import type { SurfaceWorld } from "./engine.ts";
import { NOBODY, RESOURCE } from "./packaged-plugins.ts";

type Tools = {
	tenant: string | undefined;
	text: (name: string) => string;
	call: (path: string, options: CallOptions) => Promise<Answer>;
	boss: { id: string; browser: Browser };
};

export const REDIRECT = "https://client.example.com/callback";
const SCOPES = ["scim.users.read", "scim.users.write", "scim.groups.read", "scim.groups.write"] as const;
const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";

/** A tenant's data in the separately published plugins: one of everything, with the same names in every tenant. */
export const furnishPackaged = async (world: SurfaceWorld, tools: Tools) => ({
	...(await furnishPasskey(tools)),
	...(await furnishApiKey(tools)),
	...(await furnishSso(tools)),
	...(await furnishScim(world, tools)),
	...(await furnishOauth(tools)),
	...(await furnishStripe(world, tools)),
});

const furnishPasskey = async ({ call, text, boss }: Tools) => {
	const key = createAuthenticator({ origin: ORIGIN, rpId: "localhost" });
	const begin = async (path: string, browser: Browser) => (await call(path, { method: "GET", browser })).json;
	const register = "/passkey/generate-register-options";
	const first = boss.browser.copy();
	const response = key.register(await begin(register, first));
	const made = await call("/passkey/verify-registration", {
		browser: first,
		body: { response, name: text("passkey") },
	});
	// a second one during registration, and the first one about to sign in
	const registering = boss.browser.copy();
	const second = createAuthenticator({ origin: ORIGIN, rpId: "localhost" });
	const secondResponse = second.register(await begin(register, registering));
	const signingIn = new Browser();
	const assertion = key.authenticate(await begin("/passkey/generate-authenticate-options", signingIn));
	return { passkey: { id: made.json.id as string, registering, secondResponse, signingIn, assertion } };
};

const furnishApiKey = async ({ call, text, boss }: Tools) => {
	const body = { name: text("key").slice(0, 32), prefix: "shared", metadata: { note: text("metadata") } };
	const made = await call("/api-key/create", { browser: boss.browser, body });
	return { apiKey: { id: made.json.id as string, key: made.json.key as string } };
};

const CERTIFICATE = createHash("sha256").update("certificate").digest("base64");

export const ssoProvider = (name: string) => ({
	providerId: name,
	issuer: "https://idp.example.com",
	domain: "corp.example",
	oidcConfig: {
		clientId: "shared-client",
		clientSecret: "a-secret-of-the-provider",
		skipDiscovery: true,
		authorizationEndpoint: "https://idp.example.com/authorize",
		tokenEndpoint: `${NOBODY}/token`,
		jwksEndpoint: `${NOBODY}/jwks`,
		pkce: true,
	},
});

const samlProvider = (name: string) => ({
	providerId: name,
	issuer: "https://saml.example.com",
	domain: "saml.example",
	samlConfig: {
		entryPoint: "https://saml.example.com/sso",
		cert: CERTIFICATE,
		idpMetadata: { entityID: "https://saml.example.com" },
		callbackUrl: `${ORIGIN}/home`,
	},
});

const furnishSso = async ({ call, boss }: Tools) => {
	const register = async (body: object) => (await call("/sso/register", { browser: boss.browser, body })).json;
	const { domainVerificationToken } = await register(ssoProvider("shared-idp"));
	await register(samlProvider("shared-saml"));
	return { sso: { oidc: "shared-idp", saml: "shared-saml", domainVerificationToken: String(domainVerificationToken) } };
};

export const scimUser = (userName: string) => ({
	schemas: [USER],
	userName,
	externalId: `external-${userName}`,
	name: { givenName: "Ada", familyName: "Lovelace", formatted: "Ada Lovelace" },
	emails: [{ value: userName, primary: true, type: "work" }],
	active: true,
});
export const scimGroup = (displayName: string, member: string) => ({
	schemas: [GROUP],
	displayName,
	members: [{ value: member }],
});

type ServerApi = Record<string, (input: object) => Promise<{ token: string }>>;

const furnishScim = async (world: SurfaceWorld, { call, text, tenant }: Tools) => {
	// the application's own code creates connections
	const api = world.auth.api as object as ServerApi;
	const made = await api.createSCIMManagedConnection?.({
		body: {
			creationRequestId: `the same request in every tenant${tenant ? "" : " "}`.padEnd(40, "."),
			provisioningDomainId: "shared-domain",
			actorId: text("operator"),
			scopes: SCOPES,
			expiresAt: new Date(Date.now() + 86_400_000),
		},
		headers: new Headers(tenant ? { "x-tenant-id": tenant } : {}),
	});
	const headers = { authorization: `Bearer ${made?.token}` };
	const provision = async (path: string, body: object): Promise<string> =>
		(await call(`/scim/v2${path}`, { headers, body })).json.id;
	const person = await provision("/Users", { ...scimUser("dora@corp.example"), displayName: text("dora") });
	const other = await provision("/Users", { ...scimUser("eve@corp.example"), displayName: text("eve") });
	return {
		scim: {
			headers,
			userId: person,
			otherUserId: other,
			groupId: await provision("/Groups", scimGroup("shared-group", person)),
		},
	};
};

export const authorizeQuery = (clientId: string, verifier: string) => ({
	client_id: clientId,
	redirect_uri: REDIRECT,
	response_type: "code",
	scope: "openid offline_access read",
	state: "state-of-the-client",
	code_challenge: createHash("sha256").update(verifier).digest("base64url"),
	code_challenge_method: "S256",
});

const form = (fields: Record<string, string>): CallOptions => ({
	body: new URLSearchParams(fields).toString(),
	headers: { "content-type": "application/x-www-form-urlencoded" },
});

const furnishOauth = async ({ call, text, boss }: Tools) => {
	const as = { browser: boss.browser };
	const client = async (name: string) =>
		(
			await call("/oauth2/create-client", {
				...as,
				body: {
					client_name: text(name),
					redirect_uris: [REDIRECT],
					post_logout_redirect_uris: [REDIRECT],
					enable_end_session: true,
					token_endpoint_auth_method: "client_secret_post",
					grant_types: ["authorization_code", "refresh_token"],
					scope: "openid profile email offline_access read",
				},
			})
		).json;
	const first = await client("client");
	const pending = await client("pending-client");
	const verifier = randomBytes(32).toString("base64url");
	const authorize = async (clientId: string) => {
		const answer = await call("/oauth2/authorize", { method: "GET", ...as, query: authorizeQuery(clientId, verifier) });
		return new URL(answer.location ?? answer.json?.url, ORIGIN);
	};
	const consent = async (): Promise<string> => {
		const asked = await authorize(first.client_id);
		if (asked.searchParams.has("code")) return asked.searchParams.get("code") ?? "";
		const given = await call("/oauth2/consent", { ...as, body: { accept: true, oauth_query: asked.search.slice(1) } });
		return new URL(given.json.url ?? given.json.redirect_uri).searchParams.get("code") ?? "";
	};
	const credentials = { client_id: first.client_id as string, client_secret: first.client_secret as string };
	const redeem = async (code: string, more: Record<string, string> = {}) =>
		(
			await call(
				"/oauth2/token",
				form({
					...credentials,
					grant_type: "authorization_code",
					code,
					redirect_uri: REDIRECT,
					code_verifier: verifier,
					...more,
				}),
			)
		).json;
	const tokens = await redeem(await consent());
	const forResource = await redeem(await consent(), { resource: RESOURCE });
	const consents = (await call("/oauth2/get-consents", { method: "GET", ...as })).json;
	return {
		oauth: {
			...credentials,
			verifier,
			code: await consent(),
			accessToken: tokens.access_token as string,
			refreshToken: tokens.refresh_token as string,
			idToken: tokens.id_token as string,
			jwtAccessToken: forResource.access_token as string,
			consentId: consents[0]?.id ?? "",
			/** signed by the engine, for opening a consent page */
			query: (await authorize(pending.client_id)).search.slice(1),
			pendingClientId: pending.client_id as string,
		},
	};
};

const furnishStripe = async (world: SurfaceWorld, { call, boss, text }: Tools) => {
	const [row] = await world.database.query(`select "stripeCustomerId" from "user" where "id" = '${boss.id}'`);
	const customer = String(row?.stripeCustomerId);
	const body = { plan: "pro", successUrl: "/paid", cancelUrl: "/", metadata: { note: text("note") } };
	const begun = await call("/subscription/upgrade", { browser: boss.browser, body });
	const { id: checkoutId, metadata } = begun.json as { id: string; metadata: Record<string, string> };
	const subscription = world.stripe.subscribe(customer, metadata);
	const completed = {
		id: checkoutId,
		mode: "subscription",
		customer,
		subscription: subscription.id,
		client_reference_id: boss.id,
		metadata,
	};
	const { payload, signature } = world.stripe.event("checkout.session.completed", completed);
	const headers = { "stripe-signature": signature, "content-type": "application/json" };
	await call("/stripe/webhook", { body: payload, headers });
	const cancelled = { ...subscription, cancel_at_period_end: true };
	return {
		stripe: {
			customer,
			checkoutId,
			subscriptionId: subscription.id,
			/** a signature is valid for five minutes */
			get webhook() {
				return world.stripe.event("customer.subscription.updated", cancelled);
			},
		},
	};
};
