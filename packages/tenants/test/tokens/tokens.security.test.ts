import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { toNodeHandler } from "better-auth/node";
import type { Jwk } from "better-auth/plugins";
import { importJWK, SignJWT } from "jose";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { type TenantTokenOptions, verifyTenantRequest, verifyTenantToken } from "../../src/tokens.ts";
import { RESOURCE, withClients } from "../compose/support/oauth-clients.ts";

const ISSUER = `${ORIGIN}/api/auth`;
const verifyOptions = { issuer: ISSUER, audience: RESOURCE };

/** A running issuer, and an access token of each tenant and of the platform. */
const withIssuer = async (options: Parameters<typeof withClients>[0] = {}) => {
	const world = await withClients(options);
	const server = createServer(toNodeHandler(world.auth)).listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await new Promise((resolve) => server.once("listening", resolve));
	const base = `http://127.0.0.1:${(server.address() as { port: number }).port}/api/auth`;
	const sideOf = async (side: typeof world.a) => ({
		...side,
		token: (await world.tokensOf(side, { resource: RESOURCE })).access_token ?? "",
	});
	const sides = [await sideOf(world.a), await sideOf(world.b), await sideOf(world.platform)] as const;
	return { ...world, sides, jwksUrl: `${base}/jwks`, introspectUrl: `${base}/oauth2/introspect` };
};

/** One set of keys for all tenants, so only the claim distinguishes tokens. */
const withSharedKeys = async () => {
	const keys: Jwk[] = [];
	const world = await withIssuer({
		jwt: {
			jwks: { disablePrivateKeyEncryption: true },
			adapter: {
				getJwks: async () => keys,
				createJwk: async (data) => {
					const key = { ...data, id: randomUUID() };
					keys.push(key);
					return key;
				},
			},
		},
	});
	const sign = async (claims: Record<string, unknown>): Promise<string> => {
		const [key] = keys;
		const { alg = "EdDSA", id: kid = "", privateKey = "" } = key ?? {};
		return new SignJWT(claims)
			.setProtectedHeader({ alg, kid })
			.setIssuer(ISSUER)
			.setAudience(RESOURCE)
			.setExpirationTime("1m")
			.sign(await importJWK(JSON.parse(privateKey), alg));
	};
	return { ...world, sign };
};

const outcome = async (verified: Promise<unknown>): Promise<string> =>
	verified.then(
		() => "verified",
		(error: { statusCode?: number; body?: { code?: string } }) =>
			[error.statusCode, error.body?.code].filter(Boolean).join(" "),
	);

const requestWith = (token: string) =>
	new Request(`${RESOURCE}/orders`, { headers: { authorization: `Bearer ${token}` } });

describe("verifyTenantToken", () => {
	// threat 81
	it("accepts a token in its own tenant, and in no other and not on the platform", async () => {
		const { sides, jwksUrl } = await withIssuer();
		for (const side of sides) {
			for (const { tenant: tenantId } of sides) {
				const options: TenantTokenOptions = { tenantId, jwksUrl, verifyOptions };
				const expected = tenantId === side.tenant ? "verified" : "401";
				expect(await outcome(verifyTenantToken(side.token, options))).toMatch(expected);
				expect(await outcome(verifyTenantRequest(requestWith(side.token), options))).toMatch(expected);
			}
			const payload = await verifyTenantToken(side.token, { tenantId: side.tenant, jwksUrl, verifyOptions });
			expect(payload).toMatchObject({ tenant_id: side.tenant, client_id: side.client.client_id });
		}
	});

	// threat 81
	it("checks the claim if all tenants share one set of keys", async () => {
		const { sides, jwksUrl } = await withSharedKeys();
		for (const side of sides) {
			for (const { tenant: tenantId } of sides) {
				const options: TenantTokenOptions = { tenantId, jwksUrl, verifyOptions };
				const expected = tenantId === side.tenant ? "verified" : "401 TOKEN_TENANT_MISMATCH";
				expect(await outcome(verifyTenantToken(side.token, options))).toBe(expected);
				expect(await outcome(verifyTenantRequest(requestWith(side.token), options))).toBe(expected);
			}
		}
	});

	// threat 81
	it("rejects a token whose claim is missing or not this tenant", async () => {
		const { a, b, jwksUrl, sign } = await withSharedKeys();
		const options: TenantTokenOptions = { tenantId: a.tenant, jwksUrl, verifyOptions };
		for (const tenant_id of [undefined, null, "", true, [a.tenant], [a.tenant, b.tenant], { id: a.tenant }, b.tenant]) {
			const token = await sign({ sub: "ada", tenant_id, tenantId: a.tenant, org_id: a.tenant });
			expect(await outcome(verifyTenantToken(token, options))).toBe("401 TOKEN_TENANT_MISMATCH");
		}
		expect(await outcome(verifyTenantToken(await sign({ tenant_id: a.tenant }), options))).toBe("verified");
	});

	it("fetches keys from each tenant's own address, if it has one", async () => {
		const { sides, jwksUrl } = await withIssuer();
		const [a, b] = sides;
		const asked: string[] = [];
		const addressOf = (tenantId: string): string => {
			asked.push(tenantId);
			return `${jwksUrl}?tenantId=${tenantId}&address=own`;
		};
		const options = { jwksUrl: addressOf, verifyOptions };
		expect(await outcome(verifyTenantToken(a.token, { ...options, tenantId: a.tenant }))).toBe("verified");
		expect(await outcome(verifyTenantToken(a.token, { ...options, tenantId: b.tenant }))).toBe("401");
		expect(asked).toEqual([a.tenant, b.tenant]);
	});

	// threat 81
	it("accepts opaque tokens that the issuer assigns to this tenant", async () => {
		const { a, b, tokensOf, introspectUrl } = await withIssuer();
		for (const [own, other] of [
			[a, b],
			[b, a],
		] as const) {
			const { access_token = "" } = await tokensOf(own);
			const remoteVerify = {
				introspectUrl,
				clientId: own.client.client_id,
				clientSecret: own.client.client_secret,
				allowMissingAudience: true,
			};
			const options = { remoteVerify, verifyOptions };
			expect(await outcome(verifyTenantToken(access_token, { ...options, tenantId: own.tenant }))).toBe("verified");
			expect(await outcome(verifyTenantToken(access_token, { ...options, tenantId: other.tenant }))).toBe(
				"401 TOKEN_TENANT_MISMATCH",
			);
		}
	});

	it("rejects another audience, another issuer and a missing scope", async () => {
		const { sides, jwksUrl } = await withIssuer();
		const [{ token, tenant: tenantId }] = sides;
		const check = (more: object) => outcome(verifyTenantToken(token, { tenantId, jwksUrl, verifyOptions, ...more }));
		expect(await check({ verifyOptions: { ...verifyOptions, audience: "https://other.example.com" } })).toBe("401");
		expect(await check({ verifyOptions: { ...verifyOptions, issuer: "https://other.example.com" } })).toBe("401");
		expect(await check({ requiredScopes: ["write"] })).toBe("403");
		expect(await check({ requiredScopes: ["read"] })).toBe("verified");
	});

	// threat 81
	it("requires a tenant, an issuer and an audience", async () => {
		const { a, jwksUrl, sign } = await withSharedKeys();
		const token = await sign({ sub: "ada" });
		const whole = { tenantId: a.tenant, jwksUrl, verifyOptions };
		for (const [options, message] of [
			[{ ...whole, tenantId: undefined }, "tenantId"],
			[{ ...whole, tenantId: "" }, "tenantId"],
			[{ ...whole, tenantId: [a.tenant] }, "tenantId"],
			[{ ...whole, verifyOptions: undefined }, "verifyOptions.issuer"],
			[{ ...whole, verifyOptions: { audience: RESOURCE } }, "verifyOptions.issuer"],
			[{ ...whole, verifyOptions: { issuer: ISSUER } }, "verifyOptions.audience"],
			[{ ...whole, verifyOptions: { issuer: ISSUER, audience: [] } }, "verifyOptions.audience"],
		] as [object, string][]) {
			await expect(verifyTenantToken(token, options as TenantTokenOptions)).rejects.toThrow(message);
			await expect(verifyTenantRequest(requestWith(token), options as TenantTokenOptions)).rejects.toThrow(message);
		}
	});
});
