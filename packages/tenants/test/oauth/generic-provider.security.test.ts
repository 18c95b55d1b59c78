import { genericOAuth } from "better-auth/plugins/generic-oauth";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { composedWorld } from "test-kit/composed-world";
import { isEngineFrom } from "test-kit/engine-version";
import { describe, expect, it } from "vitest";
import { PLATFORM } from "../../src/index.ts";
import { readTag } from "../../src/scope/pin/tag.ts";
import { listen } from "../sso/support/openid-server.ts";

/** An OpenID provider for the application, which can be down. */
const startCorporate = async () => {
	const { publicKey, privateKey } = await generateKeyPair("RS256");
	const keys = [{ ...(await exportJWK(publicKey)), kid: "key", alg: "RS256", use: "sig" }];
	const state = { isDown: false, discoveries: 0 };
	const issuer: string = await listen((request, response) => {
		const isDiscovery = request.url?.startsWith("/.well-known/");
		if (isDiscovery) state.discoveries++;
		const discovery = {
			issuer,
			authorization_endpoint: `${issuer}/authorize`,
			token_endpoint: `${issuer}/token`,
			userinfo_endpoint: `${issuer}/userinfo`,
			jwks_uri: `${issuer}/jwks`,
			id_token_signing_alg_values_supported: ["RS256"],
		};
		response.writeHead(state.isDown ? 503 : 200, { "content-type": "application/json" });
		response.end(JSON.stringify(isDiscovery ? discovery : { keys }));
	});
	const plugin = () =>
		genericOAuth({
			config: [
				{
					providerId: "corporate",
					clientId: "client",
					clientSecret: "secret",
					discoveryUrl: `${issuer}/.well-known/openid-configuration`,
				},
			],
		});
	const sign = (claims: JWTPayload) =>
		new SignJWT(claims)
			.setProtectedHeader({ alg: "RS256", kid: "key" })
			.setIssuer(issuer)
			.setAudience("client")
			.setIssuedAt()
			.setExpirationTime("5m")
			.sign(privateKey);
	return { state, plugin, sign };
};

describe("a generic OAuth provider that was down at startup", () => {
	const createWorldWhileDown = async () => {
		const corporate = await startCorporate();
		corporate.state.isDown = true;
		const world = await composedWorld([corporate.plugin()]);
		const start = async (tenant: string | undefined) => {
			const answer = await world.call("/sign-in/social", { tenant, body: { provider: "corporate", callbackURL: "/" } });
			const asked = answer.json?.url ? new URL(answer.json.url).searchParams : null;
			return {
				code: answer.code,
				path: asked && new URL(asked.get("redirect_uri") ?? "").pathname,
				tenant: asked && (readTag(asked.get("state") ?? "")?.tenantId ?? null),
			};
		};
		return { world, start, state: corporate.state };
	};
	const missing = { code: "PROVIDER_NOT_FOUND", path: null, tenant: null };
	// Better Auth retries since 1.7.18
	const found = (path: string, tenant: string) =>
		isEngineFrom(18) ? { code: undefined, path: `/api/auth${path}`, tenant } : missing;

	it("is used with the tenant's callback and state after a retry in a tenant, and works everywhere else", async () => {
		const { world, start, state } = await createWorldWhileDown();
		const { a, b } = world;
		expect(await start(a)).toEqual(missing);
		state.isDown = false;
		const places = [
			[a, found("/tenant/callback/corporate", a)],
			[undefined, found("/callback/corporate", PLATFORM)],
			[b, found("/tenant/callback/corporate", b)],
		] as const;
		for (const [tenant, expected] of places) expect(await start(tenant)).toEqual(expected);
	});

	it("is not looked up, nor lost, by an endpoint of a tenant that only names it", async () => {
		const { world, start, state } = await createWorldWhileDown();
		state.isDown = false;
		const before = state.discoveries;
		await world.call("/sign-in/email", {
			tenant: world.a,
			body: { provider: "corporate", email: "a@b.c", password: "x" },
		});
		expect(state.discoveries).toBe(before);
		expect(await start(undefined)).toEqual(found("/callback/corporate", PLATFORM));
	});
});

describe("an ID token of a generic OAuth provider", () => {
	// threat 20
	it("does not store a profile that a code flow would reject", async () => {
		const { plugin, sign } = await startCorporate();
		const world = await composedWorld([plugin()]);
		const profile = { sub: "1", email: "ada@example.com", email_verified: true, name: "Ada" };
		for (const tenant of [world.a, world.b]) {
			const token = await sign({ ...profile, picture: "javascript:alert(1)" });
			const answer = await world.call("/sign-in/social", {
				tenant,
				body: { provider: "corporate", idToken: { token } },
			});
			expect([answer.status, answer.json.user.email, answer.json.user.image ?? null]).toEqual([
				200,
				profile.email,
				null,
			]);
		}
		const rows = await world.database.query('select "image" from "user"');
		expect(rows).toEqual([{ image: null }, { image: null }]);
	});
});
