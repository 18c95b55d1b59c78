import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { listen } from "./openid-server.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
type Options = {
	/** claimed issuer; its own by default */
	issuer?: string;
	/** overrides the response at a path */
	at?: Record<string, Answer>;
};

/** An OpenID server of a hostile tenant, which returns any claims as any issuer. */
export const startOwnServer = async (claims: () => Record<string, unknown>, { issuer, at = {} }: Options = {}) => {
	const { publicKey, privateKey } = await generateKeyPair("RS256");
	const keys = [{ ...(await exportJWK(publicKey)), kid: "key", alg: "RS256", use: "sig" }];
	const json = (response: ServerResponse, value: unknown): void =>
		void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
	const origin: string = await listen(async (request, response) => {
		const url = new URL(request.url ?? "/", origin);
		const own = at[url.pathname];
		if (own) return own(request, response);
		if (url.pathname === "/jwks") return json(response, { keys });
		if (url.pathname === "/authorize") {
			const back = new URL(url.searchParams.get("redirect_uri") ?? "");
			back.searchParams.set("code", randomBytes(8).toString("hex"));
			back.searchParams.set("state", url.searchParams.get("state") ?? "");
			return void response.writeHead(302, { location: back.href }).end();
		}
		const { sub, ...rest } = claims();
		const idToken = await new SignJWT(rest)
			.setProtectedHeader({ alg: "RS256", kid: "key" })
			.setIssuer(issuer ?? origin)
			.setAudience("client")
			.setSubject(String(sub))
			.setIssuedAt()
			.setExpirationTime("5m")
			.sign(privateKey);
		json(response, { access_token: "access", token_type: "Bearer", id_token: idToken });
	});
	return {
		origin,
		visit: async (url: string): Promise<string> => {
			const response = await fetch(url, { redirect: "manual" });
			return response.headers.get("location") ?? (await response.text());
		},
	};
};
