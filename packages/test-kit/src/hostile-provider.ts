import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { KEEP_ALIVE } from "./servers/keep-alive.ts";

export type Behavior = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
export type HostileProvider = {
	origin: string;
	/** the next response of each endpoint */
	token: Behavior;
	user: Behavior;
	keys: Behavior;
	/** signs an ID token with the published key */
	sign: (claims: Record<string, unknown>, header?: Record<string, unknown>) => Promise<string>;
	close: () => Promise<void>;
};

export const json =
	(body: unknown, status = 200): Behavior =>
	(_request, response) => {
		response.writeHead(status, { "content-type": "application/json" });
		response.end(typeof body === "string" ? body : JSON.stringify(body));
	};

/** A provider that responds as a test says, under GitLab's and Microsoft's paths. */
export const startHostileProvider = async (): Promise<HostileProvider> => {
	const { publicKey, privateKey } = await generateKeyPair("RS256");
	const jwk = { ...(await exportJWK(publicKey)), kid: "key-1", alg: "RS256", use: "sig" };
	const provider: HostileProvider = {
		origin: "",
		token: json({}),
		user: json({}),
		keys: json({ keys: [jwk] }),
		sign: (claims, header = {}) =>
			new SignJWT(claims)
				.setProtectedHeader({ alg: "RS256", kid: "key-1", ...header })
				.setIssuedAt()
				.setExpirationTime("5m")
				.sign(privateKey),
		close: () =>
			new Promise((resolve) => {
				server.closeAllConnections();
				server.close(() => resolve());
			}),
	};
	const server: Server = createServer(KEEP_ALIVE, (request, response) => {
		// the client or the test ends a hanging response
		response.on("error", () => {});
		const path = request.url ?? "";
		if (path.includes("token")) void provider.token(request, response);
		else if (path.includes("keys")) void provider.keys(request, response);
		else void provider.user(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	provider.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return provider;
};
