import { randomBytes } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { ClientMetadata } from "oidc-provider";
import type { Certificates } from "test-kit/certificates";
import {
	buildLookAlike,
	ENTRA_TENANT,
	generateSigningKey,
	gitlabAt,
	isForMicrosoft,
	microsoftAt,
	type TokenRequest,
} from "test-kit/oidc-look-alike";
import { answerCalls } from "test-kit/processes";
import { KEEP_ALIVE } from "test-kit/servers/keep-alive";
import { createIdentityPages } from "./identity-pages.ts";

// The test identity providers in a separate process: GitLab and Microsoft over http, Google and Apple over TLS, and the
// GitLab that one tenant runs itself.

export type ProviderId = "gitlab" | "microsoft" | "google" | "apple";
type ServerId = ProviderId | "ownGitlab";
type NewClient = { server: ServerId; clientId: string; clientSecret: string; name: string; redirectURIs: string[] };
export type SeenTokenRequest = TokenRequest & { provider: ServerId };

const clients = {
	gitlab: new Map<string, ClientMetadata>(),
	microsoft: new Map<string, ClientMetadata>(),
	google: new Map<string, ClientMetadata>(),
	apple: new Map<string, ClientMetadata>(),
	ownGitlab: new Map<string, ClientMetadata>(),
};
const tokenRequests: SeenTokenRequest[] = [];
const userRequests: string[] = [];
const servers: Server[] = [];

const listen = async (server: Server): Promise<number> => {
	servers.push(server);
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	return (server.address() as AddressInfo).port;
};

const shared = (provider: ServerId, name: string) => ({
	name: provider,
	clients: clients[provider],
	interact: createIdentityPages(`${name} look-alike`),
	onTokenRequest: (request: TokenRequest) => tokenRequests.push({ provider, ...request }),
});

const start = async ({ key, cert }: Pick<Certificates, "key" | "cert">) => {
	const server = createServer(KEEP_ALIVE);
	const origin = `http://127.0.0.1:${await listen(server)}`;
	const signingKey = await generateSigningKey();
	const gitlab = buildLookAlike({
		...gitlabAt(origin),
		...shared("gitlab", "GitLab"),
		signingKey,
		onGitlabUser: (clientId) => userRequests.push(clientId),
	});
	const microsoft = buildLookAlike({ ...microsoftAt(origin), ...shared("microsoft", "Microsoft"), signingKey });
	server.on("request", ((request, response) =>
		isForMicrosoft(request) ? microsoft(request, response) : gitlab(request, response)) satisfies RequestListener);

	const ownServer = createServer(KEEP_ALIVE);
	const ownOrigin = `http://127.0.0.1:${await listen(ownServer)}`;
	ownServer.on(
		"request",
		buildLookAlike({ ...gitlabAt(ownOrigin), ...shared("ownGitlab", "A tenant's own GitLab"), signingKey }),
	);

	const google = buildLookAlike({
		...shared("google", "Google"),
		issuer: "https://accounts.google.com",
		routes: {
			authorization: "/o/oauth2/v2/auth",
			token: "/token",
			jwks: "/oauth2/v3/certs",
			userinfo: "/v1/userinfo",
		},
		signingKey: await generateSigningKey(),
	});
	const apple = buildLookAlike({
		...shared("apple", "Apple"),
		issuer: "https://appleid.apple.com",
		routes: { authorization: "/auth/authorize", token: "/auth/token", jwks: "/auth/keys" },
		signingKey: await generateSigningKey(),
		clientDefaults: {
			response_types: ["code id_token"],
			grant_types: ["authorization_code", "refresh_token", "implicit"],
			// the library only allows these to return to loopback with an ID token
			application_type: "native",
		},
		// Apple issues ID tokens without the scope and nonce that OpenID Connect requires.
		understand: ({ scope, ...asked }) => ({
			nonce: randomBytes(8).toString("hex"),
			...asked,
			scope: `openid profile ${scope}`,
		}),
	});
	const secure = createSecureServer({ key, cert }, (request, response) => {
		// Outside of tests the application uses https too. From https to http, a browser would hide a form's origin.
		response.setHeader("referrer-policy", "origin");
		return request.headers.host === "appleid.apple.com" ? apple(request, response) : google(request, response);
	});

	return { origin, ownOrigin, tlsPort: await listen(secure), entraTenant: ENTRA_TENANT };
};

const calls = {
	start,
	addClient: async ({ server, clientId, clientSecret, name, redirectURIs }: NewClient) => {
		clients[server].set(clientId, {
			client_id: clientId,
			client_secret: clientSecret,
			client_name: name,
			redirect_uris: redirectURIs,
		});
	},
	/** Every token request in the order of its response. */
	tokenRequests: async () => tokenRequests,
	/** The client of every access token presented at GitLab's user endpoint. */
	userRequests: async () => userRequests,
};
export type IdentityServer = typeof calls;

answerCalls(calls, async () => {
	for (const server of servers) {
		server.close();
		server.closeAllConnections();
	}
});
