import { randomBytes } from "node:crypto";
import Provider, { type ClientMetadata, type Configuration, type JWK } from "oidc-provider";
import { keepProviderRecords } from "./provider-records.ts";

/** A user of the identity provider. The same `sub` with another email is the same user after a change of address. */
export type Person = {
	sub: string;
	email: string;
	/** @default true */
	emailVerified?: boolean;
	/** @default the email */
	name?: string;
};

export type TokenRequest = { clientId: string; clientSecret: string; redirectURI: string; codeVerifier: boolean };

export type Context = Parameters<Parameters<Provider["use"]>[0]>[0];

/** Handles the requests in which users sign in and consent. Passes on the user with their grant. */
export type Interact = (
	ctx: Context,
	provider: Provider,
	consented: (grantId: string, person: Person) => void,
) => Promise<void>;

export type LookAlike = {
	/** the imitated provider; several share a host, and their cookies must differ */
	name: string;
	issuer: string;
	routes: Configuration["routes"];
	clients: ReadonlyMap<string, ClientMetadata>;
	clientDefaults?: Configuration["clientDefaults"];
	signingKey: SigningKey;
	interact: Interact;
	/** called after every token response */
	onTokenRequest: (request: TokenRequest) => void;
	/**
	 * path of the sign-in page
	 * @default "/interaction"
	 */
	interactions?: string;
	/** GitLab's user endpoint; its response is no OpenID Connect userinfo */
	gitlabUser?: string;
	/** called with the client of an access token used there */
	onGitlabUser?: (clientId: string) => void;
	/** parameters of the imitated provider that OpenID Connect does not define */
	understand?: (asked: Context["query"]) => Context["query"];
};

/** Entra's id of the one directory that the Microsoft look-alike serves. */
export const ENTRA_TENANT = "7c0f9d3e-52a4-4b1b-9d7e-3f6a1c2b8e90";

/** A GitLab look-alike at `origin`. */
export const gitlabAt = (origin: string) => ({
	name: "gitlab",
	issuer: origin,
	routes: { authorization: "/oauth/authorize", token: "/oauth/token", jwks: "/oauth/discovery/keys" },
	gitlabUser: "/api/v4/user",
});

/** A Microsoft Entra ID look-alike at `origin`. */
export const microsoftAt = (origin: string) => ({
	name: "microsoft",
	// the engine compares the token's issuer with its authority and the token's own tenant
	issuer: `${origin}/${ENTRA_TENANT}/v2.0`,
	routes: {
		authorization: `/${ENTRA_TENANT}/oauth2/v2.0/authorize`,
		token: `/${ENTRA_TENANT}/oauth2/v2.0/token`,
		jwks: `/${ENTRA_TENANT}/discovery/v2.0/keys`,
	},
	interactions: `/${ENTRA_TENANT}/interaction`,
});

/** Routes a request to one of both, which share a port. */
export const isForMicrosoft = (request: { url?: string | undefined }): boolean => {
	request.url = request.url?.replace(/^\/(common|organizations)\//, `/${ENTRA_TENANT}/`);
	return request.url?.startsWith(`/${ENTRA_TENANT}/`) ?? false;
};

/** An oidc-provider under the paths that the engine calls. Returns a request listener. */
export const buildLookAlike = ({
	interactions = "/interaction",
	understand = (asked) => asked,
	...settings
}: LookAlike) => {
	// By grant and not by sub: one user may sign in fifty times at once, with another email each time.
	const people = new Map<string, Person>();

	const provider = new Provider(settings.issuer, {
		adapter: keepProviderRecords(settings.clients),
		routes: settings.routes,
		jwks: { keys: [settings.signingKey] },
		cookies: {
			keys: [randomBytes(32).toString("base64url")],
			names: {
				session: `${settings.name}_session`,
				interaction: `${settings.name}_interaction`,
				resume: `${settings.name}_resume`,
			},
		},
		clientDefaults: {
			grant_types: ["authorization_code", "refresh_token"],
			// the engine's client authentication; the library's default is client_secret_basic
			token_endpoint_auth_method: "client_secret_post",
			id_token_signed_response_alg: settings.signingKey.alg,
			...settings.clientDefaults,
		},
		scopes: ["openid", "profile", "email", "offline_access", "User.Read", "Mail.Read", "read_user", "read_api", "api"],
		claims: { openid: ["sub", "oid", "tid"], profile: ["name"], email: ["email", "email_verified"] },
		// the engine reads the user from the ID token and never calls a userinfo endpoint
		conformIdTokenClaims: false,
		pkce: { required: () => true },
		features: { devInteractions: { enabled: false }, resourceIndicators: { enabled: false } },
		// both GitLab and Entra return a refresh token that outlives the browser's session
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
			settings.onGitlabUser?.(token.clientId ?? "");
			const { name, email, email_verified } = claimsOf(person);
			const user = { id: person.sub, username: person.sub, name, email, email_verified };
			ctx.body = { ...user, state: "active", locked: false, avatar_url: null };
		}
	};

	provider.use(async (ctx, next) => {
		if (ctx.path.startsWith(`${interactions}/`)) {
			return settings.interact(ctx, provider, (grantId, person) => people.set(grantId, person));
		}
		if (ctx.path === settings.gitlabUser) return answerGitlabUser(ctx);
		if (ctx.path === settings.routes?.authorization) ctx.query = understand(ctx.query);
		// Entra grants offline_access as requested; OpenID Connect Core, section 11, drops it without prompt=consent,
		// and then the engine's refresh, which repeats the scope, would be rejected.
		if (String(ctx.query.scope).includes("offline_access")) ctx.query = { prompt: "consent", ...ctx.query };
		await next();
		if (ctx.oidc?.route !== "token") return;
		const sent = new Map(Object.entries(ctx.oidc.body ?? {}));
		settings.onTokenRequest({
			clientId: String(sent.get("client_id") ?? ""),
			clientSecret: String(sent.get("client_secret") ?? ""),
			redirectURI: String(sent.get("redirect_uri") ?? ""),
			codeVerifier: sent.has("code_verifier"),
		});
	});

	return provider.callback();
};

const claimsOf = (person: Person) => ({
	// `oid` is Entra's account id; `sub` differs per client, and the engine ignores it
	oid: person.sub,
	tid: ENTRA_TENANT,
	name: person.name ?? person.email,
	email: person.email,
	email_verified: person.emailVerified ?? true,
});

/** The only algorithm that the engine accepts from Google, Apple and Microsoft. */
const RS256 = {
	name: "RSASSA-PKCS1-v1_5",
	hash: "SHA-256",
	modulusLength: 2048,
	publicExponent: new Uint8Array([1, 0, 1]),
};

type SigningKey = JWK & { alg: "RS256" };

export const generateSigningKey = async (): Promise<SigningKey> => {
	const { privateKey } = (await crypto.subtle.generateKey(RS256, true, ["sign"])) as CryptoKeyPair;
	const { key_ops: _ops, ext: _ext, ...key } = await crypto.subtle.exportKey("jwk", privateKey);
	// the engine imports a published key by its `alg`
	return { ...key, alg: "RS256", use: "sig", kid: randomBytes(8).toString("hex") } as SigningKey;
};
