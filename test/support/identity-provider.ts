import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import Provider, { type ClientMetadata, type Configuration, type JWK } from "oidc-provider";
import { keepProviderRecords } from "./provider-records.ts";

/** Who signs in at the identity provider. The same `sub` with another e-mail is the same person after a change of address. */
export type Person = {
	sub: string;
	email: string;
	/** @default true */
	emailVerified?: boolean;
	/** @default the e-mail */
	name?: string;
};

type TokenRequest = { clientId: string; clientSecret: string; redirectURI: string; codeVerifier: boolean };

export type IdentityProvider = {
	/** What to configure the engine's `gitlab` provider with, besides clientId and clientSecret. */
	gitlab: { issuer: string };
	/** The same for `microsoft`. Without `tenantId` the engine asks for "common", which is served too. */
	microsoft: { authority: string; tenantId: string; disableProfilePhoto: true };
	/** Makes a client known to both providers, or replaces it; redirect URIs are matched exactly. */
	addClient(client: { clientId: string; clientSecret: string; redirectURIs: string[] }): void;
	/**
	 * Goes to the authorization URL in a fresh browser, signs `person` in and consents; answers the callback URL it is
	 * sent to. Throws when the provider shows an error page (unknown client, foreign redirect URI).
	 */
	authorize(authorizationURL: string, person: Person): Promise<string>;
	/** Every token request in the order of its answer, refused ones and refreshes (no redirect URI) included. */
	tokenRequests: TokenRequest[];
	close(): Promise<void>;
};

/** Starts a GitLab and a Microsoft Entra ID look-alike on loopback: two oidc-providers behind the paths the engine calls. */
export const startIdentityProvider = async (): Promise<IdentityProvider> => {
	const server = createServer();
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	const clients = new Map<string, ClientMetadata>();
	const tokenRequests: TokenRequest[] = [];
	const shared = { clients, tokenRequests, signingKey: await generateSigningKey() };
	const gitlab = buildProvider({
		...shared,
		issuer: origin,
		routes: { authorization: "/oauth/authorize", token: "/oauth/token", jwks: "/oauth/discovery/keys" },
		gitlabUser: "/api/v4/user",
	});
	const microsoft = buildProvider({
		...shared,
		// the engine compares the token's issuer with its authority and the token's own tenant
		issuer: `${origin}/${ENTRA_TENANT}/v2.0`,
		routes: {
			authorization: `/${ENTRA_TENANT}/oauth2/v2.0/authorize`,
			token: `/${ENTRA_TENANT}/oauth2/v2.0/token`,
			jwks: `/${ENTRA_TENANT}/discovery/v2.0/keys`,
		},
		interactions: `/${ENTRA_TENANT}/interaction`,
	});

	server.on("request", (request: IncomingMessage, response: ServerResponse) => {
		request.url = request.url?.replace(/^\/(common|organizations)\//, `/${ENTRA_TENANT}/`);
		return request.url?.startsWith(`/${ENTRA_TENANT}/`) ? microsoft(request, response) : gitlab(request, response);
	});

	return {
		gitlab: { issuer: origin },
		microsoft: { authority: origin, tenantId: ENTRA_TENANT, disableProfilePhoto: true },
		addClient: ({ clientId, clientSecret, redirectURIs }) => {
			clients.set(clientId, { client_id: clientId, client_secret: clientSecret, redirect_uris: redirectURIs });
		},
		authorize: (authorizationURL, person) => signInAndConsent(origin, authorizationURL, person),
		tokenRequests,
		close: () =>
			new Promise((resolve, reject) => {
				server.close((error) => (error ? reject(error) : resolve()));
				// the engine's fetch keeps its connections open, and close() waits for them
				server.closeAllConnections();
			}),
	};
};

const ENTRA_TENANT = "7c0f9d3e-52a4-4b1b-9d7e-3f6a1c2b8e90";

type Context = Parameters<Parameters<Provider["use"]>[0]>[0];

type ProviderSettings = {
	issuer: string;
	routes: Configuration["routes"];
	clients: ReadonlyMap<string, ClientMetadata>;
	tokenRequests: TokenRequest[];
	signingKey: JWK;
	/**
	 * where people sign in
	 * @default "/interaction"
	 */
	interactions?: string;
	/** where GitLab tells who an access token belongs to; its answer is no OpenID Connect userinfo */
	gitlabUser?: string;
};

const buildProvider = ({ interactions = "/interaction", ...settings }: ProviderSettings) => {
	// By grant and not by sub: one person may sign in fifty times at once, with another e-mail each time.
	const people = new Map<string, Person>();

	const provider = new Provider(settings.issuer, {
		adapter: keepProviderRecords(settings.clients),
		routes: settings.routes,
		jwks: { keys: [settings.signingKey] },
		cookies: { keys: [randomBytes(32).toString("base64url")] },
		clientDefaults: {
			grant_types: ["authorization_code", "refresh_token"],
			// how the engine authenticates; the library's own default is client_secret_basic
			token_endpoint_auth_method: "client_secret_post",
			id_token_signed_response_alg: "ES256",
		},
		scopes: ["openid", "profile", "email", "offline_access", "User.Read", "Mail.Read", "read_user", "read_api", "api"],
		claims: { openid: ["sub", "oid", "tid"], profile: ["name"], email: ["email", "email_verified"] },
		// the engine reads Microsoft's user from the ID token and never asks a userinfo endpoint
		conformIdTokenClaims: false,
		pkce: { required: () => true },
		features: { devInteractions: { enabled: false }, resourceIndicators: { enabled: false } },
		// both GitLab and Entra answer with a refresh token that outlives the browser's session
		issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
		expiresWithSession: () => false,
		ttl: {
			AccessToken: 3600,
			AuthorizationCode: 60,
			Grant: 86_400,
			IdToken: 3600,
			Interaction: 600,
			RefreshToken: 86_400,
			Session: 600,
		},
		interactions: { url: (_ctx, interaction) => `${interactions}/${interaction.uid}` },
		findAccount: (_ctx, sub, token) => ({
			accountId: sub,
			claims: () => {
				const person = people.get(token?.grantId ?? "");
				return { sub, ...(person && claimsOf(person)) };
			},
		}),
		renderError: (ctx, out) => {
			ctx.type = "json";
			ctx.body = out;
		},
	});

	const signIn = async (ctx: Context) => {
		const { params, prompt } = await provider.interactionDetails(ctx.req, ctx.res);
		if (ctx.method === "GET") {
			ctx.body = { prompt: prompt.name };
			return;
		}
		const person = (await json(ctx.req)) as Person;
		const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) });
		grant.addOIDCScope(String(params.scope));
		const grantId = await grant.save();
		people.set(grantId, person);
		const returnTo = await provider.interactionResult(ctx.req, ctx.res, {
			login: { accountId: person.sub },
			consent: { grantId },
		});
		ctx.status = 303;
		ctx.set("location", returnTo);
	};

	const answerGitlabUser = async (ctx: Context) => {
		const token = await provider.AccessToken.find(ctx.get("authorization").replace(/^Bearer /, ""));
		const person = people.get(token?.grantId ?? "");
		if (!token?.isValid || !person) {
			ctx.status = 401;
			ctx.body = { message: "401 Unauthorized" };
		} else if (!token.scopes.has("read_user") && !token.scopes.has("api")) {
			ctx.status = 403;
			ctx.body = { error: "insufficient_scope" };
		} else {
			const { name, email, email_verified } = claimsOf(person);
			const user = { id: person.sub, username: person.sub, name, email, email_verified };
			ctx.body = { ...user, state: "active", locked: false, avatar_url: null };
		}
	};

	provider.use(async (ctx, next) => {
		if (ctx.path.startsWith(`${interactions}/`)) return signIn(ctx);
		if (ctx.path === settings.gitlabUser) return answerGitlabUser(ctx);
		// Entra grants offline_access as it is asked; OpenID Connect Core, section 11, drops it without prompt=consent,
		// and then the engine's refresh, which repeats the scope, would be refused.
		if (String(ctx.query.scope).includes("offline_access")) ctx.query = { prompt: "consent", ...ctx.query };
		await next();
		if (ctx.oidc?.route !== "token") return;
		const sent = new Map(Object.entries(ctx.oidc.body ?? {}));
		settings.tokenRequests.push({
			clientId: String(sent.get("client_id") ?? ""),
			clientSecret: String(sent.get("client_secret") ?? ""),
			redirectURI: String(sent.get("redirect_uri") ?? ""),
			codeVerifier: sent.has("code_verifier"),
		});
	});

	return provider.callback();
};

const claimsOf = (person: Person) => ({
	// `oid` is what Entra calls the account; `sub` differs from client to client there, and the engine ignores it
	oid: person.sub,
	tid: ENTRA_TENANT,
	name: person.name ?? person.email,
	email: person.email,
	email_verified: person.emailVerified ?? true,
});

const generateSigningKey = async (): Promise<JWK> => {
	const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
	const { kty, crv, x, y, d } = await crypto.subtle.exportKey("jwk", privateKey);
	// the engine imports a published key by its `alg`
	return { kty, crv, x, y, d, alg: "ES256", use: "sig", kid: randomBytes(8).toString("hex") } as JWK;
};

const signInAndConsent = async (origin: string, authorizationURL: string, person: Person): Promise<string> => {
	const cookies = new Map<string, { path: string; pair: string }>();
	const visit = async (url: URL, body?: Person) => {
		const sent = [...cookies.values()].filter(({ path }) => url.pathname.startsWith(path)).map(({ pair }) => pair);
		const response = await fetch(url, {
			method: body ? "POST" : "GET",
			body: body && JSON.stringify(body),
			headers: { cookie: sent.join("; ") },
			redirect: "manual",
		});
		for (const header of response.headers.getSetCookie()) {
			const [pair = "", ...attributes] = header.split("; ");
			const path = attributes.find((attribute) => attribute.startsWith("path="))?.slice("path=".length) ?? "/";
			const name = `${pair.slice(0, pair.indexOf("="))} ${path}`;
			// the provider drops a cookie by emptying it
			if (pair.endsWith("=")) cookies.delete(name);
			else cookies.set(name, { path, pair });
		}
		return response;
	};

	let url = new URL(authorizationURL);
	// sign-in and consent take four steps; a provider that asks again and again would otherwise hang the test
	for (let step = 0; step < 12; step++) {
		if (url.origin !== origin) return url.href;
		let response = await visit(url);
		if (response.ok) response = await visit(url, person);
		const location = response.headers.get("location");
		if (!location) throw new Error(`The identity provider answered ${response.status}: ${await response.text()}`);
		url = new URL(location, url);
	}
	throw new Error("The identity provider did not stop asking");
};
