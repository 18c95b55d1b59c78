import { createServer } from "node:http";
import { toNodeHandler } from "better-auth/node";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { withClients } from "./support/oauth-clients.ts";

type Metadata = Record<"getOpenIdConfig", (input: object) => Promise<{ issuer: string; jwks_uri: string }>>;

/** A provider that serves its own base URL, from which it fetches its keys. */
const withListeningProvider = async () => {
	const server = createServer().listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await new Promise((resolve) => server.once("listening", resolve));
	const baseURL = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
	const world = await withClients({
		engine: { baseURL, trustedOrigins: [ORIGIN] },
		client: { enable_end_session: true },
	});
	server.on("request", toNodeHandler(world.auth));
	return { ...world, api: world.auth.api as object as Metadata };
};

describe("the keys of an OAuth provider's tenant", () => {
	// threat 80
	it("are served where the tenant's metadata says, and nowhere else", async () => {
		const { a, b, platform, api, tokensOf } = await withListeningProvider();
		const sides = await Promise.all(
			[a, b, platform].map(async (side) => {
				const { jwks_uri, issuer } = await api.getOpenIdConfig({ headers: side.headers });
				const keys = (await (await fetch(jwks_uri)).json()) as JSONWebKeySet;
				return { ...side, issuer, keys, idToken: (await tokensOf(side)).id_token ?? "" };
			}),
		);
		for (const own of sides) {
			for (const { keys, tenant } of sides) {
				const verified = jwtVerify(own.idToken, createLocalJWKSet(keys), { issuer: own.issuer });
				if (tenant === own.tenant) await verified;
				else await expect(verified).rejects.toThrow("no applicable key found");
			}
		}
	});

	// threat 80
	it("verify the ID token of a client's logout request in this tenant only", async () => {
		const { a, b, tokensOf, call, whoami } = await withListeningProvider();
		for (const [own, other] of [
			[a, b],
			[b, a],
		] as const) {
			const { id_token: id_token_hint = "" } = await tokensOf(own);
			await call("/oauth2/end-session", { query: { id_token_hint }, tenant: other.tenant });
			expect((await whoami(own.browser)).session.tenantId).toBe(own.tenant);
			const ended = await call("/oauth2/end-session", { query: { id_token_hint }, browser: own.browser.copy() });
			expect(ended.status).toBeLessThan(400);
			expect(await whoami(own.browser)).toBeNull();
		}
	});
});
