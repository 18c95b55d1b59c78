import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { onTestFinished } from "vitest";

export type Claims = { sub: string; email: string; email_verified?: boolean; name?: string };

/** A body for `/sso/register`. */
export const registration = (issuer: string, providerId: string, domain = "corp.example") => ({
	providerId,
	issuer,
	domain,
	oidcConfig: {
		clientId: "client",
		clientSecret: "client-secret",
		skipDiscovery: true,
		authorizationEndpoint: `${issuer}/authorize`,
		tokenEndpoint: `${issuer}/token`,
		jwksEndpoint: `${issuer}/jwks`,
		pkce: true,
	},
});

const json = (response: ServerResponse, value: unknown, status = 200): void =>
	void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

const formOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
	let text = "";
	for await (const chunk of request) text += chunk;
	return new URLSearchParams(text);
};

export const listen = async (answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void) => {
	const server = createServer((request, response) => void answer(request, response));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/**
 * A strict OpenID provider with a signed-in user. It redirects to registered URIs only, and redeems a code once, for
 * its client, with the matching verifier.
 */
export const startOpenIdServer = async (claims: () => Claims) => {
	const { publicKey, privateKey } = await generateKeyPair("RS256");
	const keys = [{ ...(await exportJWK(publicKey)), kid: "key", alg: "RS256", use: "sig" }];
	const redirectURIs = new Set<string>();
	const codes = new Map<string, { challenge: string | null; redirectURI: string }>();
	const redeemed: string[] = [];
	const issuer: string = await listen(async (request, response) => {
		const url = new URL(request.url ?? "/", issuer);
		if (url.pathname === "/jwks") return json(response, { keys });
		if (url.pathname === "/authorize") {
			const redirectURI = url.searchParams.get("redirect_uri") ?? "";
			if (!redirectURIs.has(redirectURI)) return json(response, { error: "unregistered redirect_uri" }, 400);
			const code = randomBytes(16).toString("hex");
			codes.set(code, { challenge: url.searchParams.get("code_challenge"), redirectURI });
			const back = new URL(redirectURI);
			back.searchParams.set("code", code);
			back.searchParams.set("state", url.searchParams.get("state") ?? "");
			back.searchParams.set("iss", issuer);
			return void response.writeHead(302, { location: back.href }).end();
		}
		const form = await formOf(request);
		const code = form.get("code") ?? "";
		const known = codes.get(code);
		codes.delete(code);
		const challenge = createHash("sha256")
			.update(form.get("code_verifier") ?? "")
			.digest("base64url");
		if (!known || known.challenge !== challenge || known.redirectURI !== form.get("redirect_uri"))
			return json(response, { error: "invalid_grant" }, 400);
		redeemed.push(code);
		const { sub, ...rest } = claims();
		const idToken = await new SignJWT(rest)
			.setProtectedHeader({ alg: "RS256", kid: "key" })
			.setIssuer(issuer)
			.setAudience("client")
			.setSubject(sub)
			.setIssuedAt()
			.setExpirationTime("5m")
			.sign(privateKey);
		json(response, { access_token: "access", token_type: "Bearer", id_token: idToken });
	});
	return {
		issuer,
		/** codes that were exchanged for tokens */
		redeemed,
		allow: (redirectURI: string) => void redirectURIs.add(redirectURI),
		/** The redirect of an address of this provider. */
		visit: async (url: string): Promise<string> => {
			const response = await fetch(url, { redirect: "manual" });
			return response.headers.get("location") ?? (await response.text());
		},
	};
};

/** A tenant's own server that forwards users to another provider and keeps the codes it receives. */
export const startRelay = async (onwards: (state: string) => string) => {
	const stolen: string[] = [];
	const issuer: string = await listen(async (request, response) => {
		const url = new URL(request.url ?? "/", issuer);
		if (url.pathname === "/authorize") {
			const location = onwards(url.searchParams.get("state") ?? "");
			return void response.writeHead(302, { location }).end();
		}
		stolen.push((await formOf(request)).get("code") ?? "");
		json(response, { error: "temporarily_unavailable" }, 400);
	});
	return { issuer, stolen };
};
