import { decodeJwt, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { form, RESOURCE, withClients } from "./support/oauth-clients.ts";

/** The same claims with an unknown signature. */
const forge = async (token: string): Promise<string> => {
	const { privateKey } = await generateKeyPair("EdDSA");
	return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: "EdDSA", kid: "a-key-of-my-own" }).sign(privateKey);
};

describe.each(["sqlite", "postgres", "mysql"] as const)("an OAuth provider for two tenants, on %s", (database) => {
	// threat 65
	it("issues a client codes and tokens for its own tenant's users only, and resolves the tenant from the client", async () => {
		const { a, b, authorize, redeem, tokensOf, call } = await withClients({ database });
		for (const [own, other] of [
			[a, b],
			[b, a],
		] as const) {
			// no hint: the session and the client id name the tenant
			const tokens = await tokensOf(own);
			expect(tokens.access_token).toBeTruthy();
			const userinfo = await call("/oauth2/userinfo", { headers: { authorization: `Bearer ${tokens.access_token}` } });
			expect([userinfo.status, typeof userinfo.json.sub]).toEqual([200, "string"]);
			const moved = await call("/oauth2/userinfo", {
				tenant: other.tenant,
				headers: { authorization: `Bearer ${tokens.access_token}` },
			});
			expect(moved.status).toBe(401);
			expect((await authorize(own.client, other)).searchParams.get("code")).toBeNull();
			const code = (await authorize(own.client, own)).searchParams.get("code") ?? "";
			expect((await redeem(own.client, code, {}, other.tenant)).status).toBeGreaterThanOrEqual(400);
			expect((await redeem(other.client, code)).status).toBeGreaterThanOrEqual(400);
			const refresh = { ...own.client, grant_type: "refresh_token", refresh_token: String(tokens.refresh_token) };
			expect((await call("/oauth2/token", { ...form(refresh), tenant: other.tenant })).status).toBeGreaterThanOrEqual(
				400,
			);
			expect((await call("/oauth2/token", form(refresh))).status).toBe(200);
		}
	});

	// threat 65
	it("verifies a signed access token with its own tenant's keys only, even if another tenant's are cached", async () => {
		const { a, b, tokensOf, introspect } = await withClients({ database });
		for (const [own, other] of [
			[a, b],
			[b, a],
		] as const) {
			const { access_token = "" } = await tokensOf(own, { resource: RESOURCE });
			expect(access_token.split(".")).toHaveLength(3);
			// the keys that verified it are cached now
			expect((await introspect(own.client, access_token)).json.active).toBe(true);
			for (const hint of [undefined, own.tenant, other.tenant]) {
				expect((await introspect(other.client, access_token, hint)).json?.active).not.toBe(true);
			}
			expect((await introspect(own.client, access_token, other.tenant)).json?.active).not.toBe(true);
			// in the other tenant, its signing key is unknown
			const there = await introspect(other.client, access_token, other.tenant);
			const forged = await introspect(other.client, await forge(access_token), other.tenant);
			expect([there.status, there.text]).toEqual([forged.status, forged.text]);
		}
	});

	it("seeds the configured resource in each tenant, and deletes the links of a deleted one in its tenant only", async () => {
		const { a, b, api, tokensOf, tenantsOf, auth } = await withClients({ database });
		for (const own of [a, b]) {
			await tokensOf(own, { resource: RESOURCE });
			const params = { identifier: encodeURIComponent(RESOURCE), client_id: own.client.client_id };
			await api.adminLinkClientResource({ headers: own.headers, params });
		}
		expect((await tenantsOf("oauthResource")).filter((tenant) => tenant !== "platform")).toEqual(
			[a.tenant, b.tenant].sort(),
		);
		expect(await tenantsOf("oauthClientResource")).toEqual([a.tenant, b.tenant].sort());
		// a link must not reference another tenant's client
		const { adapter } = await auth.$context;
		const data = { clientId: b.client.client_id, resourceId: RESOURCE };
		await expect(
			runWithTenant(a.tenant, () => adapter.create({ model: "oauthClientResource", data })),
		).rejects.toMatchObject({ body: { code: "REFERENCE_NOT_IN_TENANT" } });
		await api.adminDeleteOAuthResource({ headers: a.headers, params: { identifier: encodeURIComponent(RESOURCE) } });
		expect(await tenantsOf("oauthClientResource")).toEqual([b.tenant]);
	});
});
