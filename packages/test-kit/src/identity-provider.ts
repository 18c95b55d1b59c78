import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { ClientMetadata } from "oidc-provider";
import {
	buildLookAlike,
	ENTRA_TENANT,
	generateSigningKey,
	gitlabAt,
	type Interact,
	isForMicrosoft,
	microsoftAt,
	type Person,
	type TokenRequest,
} from "./oidc-look-alike.ts";
import { KEEP_ALIVE } from "./servers/keep-alive.ts";
import { signInAndConsent } from "./sign-in-and-consent.ts";

export type { Person };

export type IdentityProvider = {
	/** Settings for the engine's `gitlab` provider, besides clientId and clientSecret. */
	gitlab: { issuer: string };
	/** The same for `microsoft`. Without `tenantId` the engine requests "common", which is served too. */
	microsoft: { authority: string; tenantId: string; disableProfilePhoto: true };
	/** Registers or replaces a client at both providers; redirect URIs match exactly. */
	addClient(client: { clientId: string; clientSecret: string; redirectURIs: string[] }): void;
	/**
	 * Opens the authorization URL in a new browser, signs `person` in and consents. Returns the callback URL. Throws if
	 * the provider shows an error page (unknown client, foreign redirect URI).
	 */
	authorize(authorizationURL: string, person: Person): Promise<string>;
	/** Every token request in order of its response, including rejected ones and refreshes (without redirect URI). */
	tokenRequests: TokenRequest[];
	close(): Promise<void>;
};

/**
 * Starts a GitLab and a Microsoft Entra ID look-alike on loopback: two oidc-providers under the paths that the engine
 * calls.
 */
export const startIdentityProvider = async (): Promise<IdentityProvider> => {
	const server = createServer(KEEP_ALIVE);
	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	const clients = new Map<string, ClientMetadata>();
	const tokenRequests: TokenRequest[] = [];
	const shared = {
		clients,
		signingKey: await generateSigningKey(),
		interact: signInByJson,
		onTokenRequest: (request: TokenRequest) => tokenRequests.push(request),
	};
	const gitlab = buildLookAlike({ ...gitlabAt(origin), ...shared });
	const microsoft = buildLookAlike({ ...microsoftAt(origin), ...shared });

	server.on("request", (request: IncomingMessage, response: ServerResponse) =>
		isForMicrosoft(request) ? microsoft(request, response) : gitlab(request, response),
	);

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
				// the engine's fetch keeps connections open, and close() waits for them
				server.closeAllConnections();
			}),
	};
};

/** Signs in and consents in one step, for tests without a browser. */
const signInByJson: Interact = async (ctx, provider, consented) => {
	const { params, prompt } = await provider.interactionDetails(ctx.req, ctx.res);
	if (ctx.method === "GET") {
		ctx.body = { prompt: prompt.name };
		return;
	}
	const person = (await json(ctx.req)) as Person;
	const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) });
	grant.addOIDCScope(String(params.scope));
	const grantId = await grant.save();
	consented(grantId, person);
	const returnTo = await provider.interactionResult(ctx.req, ctx.res, {
		login: { accountId: person.sub },
		consent: { grantId },
	});
	ctx.status = 303;
	ctx.set("location", returnTo);
};
