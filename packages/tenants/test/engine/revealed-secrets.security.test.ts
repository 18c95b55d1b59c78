import type { IncomingHttpHeaders } from "node:http";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { siwe } from "better-auth/plugins/siwe";
import { composedWorld } from "test-kit/composed-world";
import { expect, it } from "vitest";
import { listen } from "../sso/support/openid-server.ts";
import { isFixed } from "./support/is-fixed.ts";

// attacks that the installed version of the engine allows, or has fixed: see docs/engine-versions.md

it("a host that discovery is redirected to gets the application's headers, until it is fixed", async () => {
	const seen: IncomingHttpHeaders[] = [];
	const elsewhere: string = await listen((request, response) => {
		seen.push(request.headers);
		response.writeHead(200, { "content-type": "application/json" });
		response.end(
			JSON.stringify({
				issuer: elsewhere,
				authorization_endpoint: `${elsewhere}/authorize`,
				token_endpoint: `${elsewhere}/token`,
				userinfo_endpoint: `${elsewhere}/userinfo`,
			}),
		);
	});
	const corporate = await listen((_request, response) => {
		response.writeHead(302, { location: `${elsewhere}/.well-known/openid-configuration` }).end();
	});
	const world = await composedWorld([
		genericOAuth({
			config: [
				{
					providerId: "corporate",
					clientId: "client",
					clientSecret: "secret",
					discoveryUrl: `${corporate}/.well-known/openid-configuration`,
					discoveryHeaders: { "x-api-key": "key of the application" },
				},
			],
		}),
	]);
	const fixed = await isFixed(world, "genericOAuth: discoveryHeaders");
	// in both tenants, and again: a request retries a discovery that failed
	for (const tenant of [world.a, world.b]) {
		const answer = await world.call("/sign-in/social", { tenant, body: { provider: "corporate", callbackURL: "/" } });
		expect(answer.json?.url ?? null).toEqual(fixed ? null : expect.stringContaining(`${elsewhere}/authorize`));
	}
	const keys = seen.map((headers) => headers["x-api-key"]);
	expect(keys.includes("key of the application")).toBe(!fixed);
});

it("a failed sign-in with a wallet says what went wrong inside, until it is fixed", async () => {
	const world = await composedWorld([
		siwe({
			domain: "localhost:3000",
			getNonce: async () => "12345678901234567",
			verifyMessage: async () => {
				throw new Error("connect to db-1.internal refused");
			},
		}),
	]);
	const fixed = await isFixed(world, "siwe");
	for (const tenant of [world.a, world.b]) {
		const { nonce } = (await world.ok("/siwe/nonce", { tenant, body: {} })).json;
		const message = `localhost:3000 wants you to sign in with your Ethereum account:\n0x${"ab".repeat(20)}\n\nURI: http://localhost:3000\nVersion: 1\nChain ID: 1\nNonce: ${nonce}\nIssued At: 2026-11-18T00:00:00.000Z`;
		const answer = await world.call("/siwe/verify", { tenant, body: { message, signature: "0x00" } });
		expect([answer.status, answer.text.includes("db-1.internal")]).toEqual([401, !fixed]);
	}
});
