import { createHash, randomBytes } from "node:crypto";
import { oauthProvider } from "@better-auth/oauth-provider";
import { jwt } from "better-auth/plugins";
import { decodeJwt, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import type { CallOptions } from "../support/world.ts";
import { composedWorld } from "./support/composed-world.ts";

const REDIRECT = "https://client.example.com/callback";
const RESOURCE = "https://api.example.com";
const VERIFIER = randomBytes(32).toString("base64url");

const form = (fields: Record<string, string>): CallOptions => ({
	body: new URLSearchParams(fields).toString(),
	headers: { "content-type": "application/x-www-form-urlencoded" },
});

/** The same claims under a signature that nobody knows. */
const forge = async (token: string): Promise<string> => {
	const { privateKey } = await generateKeyPair("EdDSA");
	return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: "EdDSA", kid: "a-key-of-my-own" }).sign(privateKey);
};

type Client = { client_id: string; client_secret: string };
type AdminApi = Record<"adminCreateOAuthClient", (input: object) => Promise<Client>> &
	Record<"adminLinkClientResource" | "adminDeleteOAuthResource", (input: object) => Promise<unknown>>;

const withClients = async (database: "sqlite" | "postgres" | "mysql") => {
	const plugin = oauthProvider({
		loginPage: "/login",
		consentPage: "/consent",
		scopes: ["openid", "offline_access", "read"],
		resources: [RESOURCE],
		enforcePerClientResources: false,
		silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
	});
	const world = await composedWorld([jwt(), plugin], { database });
	const api = world.auth.api as object as AdminApi;
	const sideOf = async (tenant: string) => {
		const browser = await world.signUp(tenant, "ada@example.com");
		const headers = new Headers({ "x-tenant-id": tenant, cookie: browser.header() });
		const { client_id, client_secret } = await api.adminCreateOAuthClient({
			headers,
			body: {
				redirect_uris: [REDIRECT],
				skip_consent: true,
				token_endpoint_auth_method: "client_secret_post",
				grant_types: ["authorization_code", "refresh_token"],
				scope: "openid offline_access read",
			},
		});
		return { tenant, browser, headers, client: { client_id, client_secret } };
	};
	const [a, b] = [await sideOf(world.a), await sideOf(world.b)];
	type Party = typeof a;
	const authorize = async ({ client_id }: Client, { browser }: Pick<Party, "browser">): Promise<URL> => {
		const query = {
			client_id,
			redirect_uri: REDIRECT,
			response_type: "code",
			scope: "openid offline_access read",
			state: "state",
			code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
			code_challenge_method: "S256",
		};
		const { location, json } = await world.call("/oauth2/authorize", { browser, query });
		return new URL(location ?? json?.url ?? "/nowhere", "http://localhost:3000");
	};
	const redeem = async (client: Client, code: string, more: Record<string, string> = {}, tenant?: string) => {
		const fields = {
			...client,
			grant_type: "authorization_code",
			code,
			redirect_uri: REDIRECT,
			code_verifier: VERIFIER,
		};
		return world.call("/oauth2/token", { ...form({ ...fields, ...more }), tenant });
	};
	const tokensOf = async ({ client, browser }: Party, more: Record<string, string> = {}) => {
		const code = (await authorize(client, { browser })).searchParams.get("code") ?? "";
		return (await redeem(client, code, more)).json as Record<string, string>;
	};
	const introspect = (client: Client, token: string, tenant?: string) =>
		world.call("/oauth2/introspect", { ...form({ ...client, token, token_type_hint: "access_token" }), tenant });
	return { ...world, api, a, b, authorize, redeem, tokensOf, introspect };
};

describe.each(["sqlite", "postgres", "mysql"] as const)("an OAuth provider for two tenants, on %s", (database) => {
	// threat 65
	it("gives a tenant's client codes and tokens for its own people alone, and finds the tenant by the client", async () => {
		const { a, b, authorize, redeem, tokensOf, call } = await withClients(database);
		for (const [own, other] of [
			[a, b],
			[b, a],
		] as const) {
			// no hint anywhere: the session and the client's id say the tenant
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
	it("verifies a signed access token with its own tenant's keys alone, also when the other's are remembered", async () => {
		const { a, b, tokensOf, introspect } = await withClients(database);
		for (const [own, other] of [
			[a, b],
			[b, a],
		] as const) {
			const { access_token = "" } = await tokensOf(own, { resource: RESOURCE });
			expect(access_token.split(".")).toHaveLength(3);
			// the keys it was verified with are remembered now
			expect((await introspect(own.client, access_token)).json.active).toBe(true);
			for (const hint of [undefined, own.tenant, other.tenant]) {
				expect((await introspect(other.client, access_token, hint)).json?.active).not.toBe(true);
			}
			expect((await introspect(own.client, access_token, other.tenant)).json?.active).not.toBe(true);
			// there it is a token like any that somebody signed with a key of his own
			const there = await introspect(other.client, access_token, other.tenant);
			const forged = await introspect(other.client, await forge(access_token), other.tenant);
			expect([there.status, there.text]).toEqual([forged.status, forged.text]);
		}
	});

	it("has the configured resource in each tenant, and forgets a deleted one's links in its own", async () => {
		const { a, b, api, tokensOf, tenantsOf, auth } = await withClients(database);
		for (const own of [a, b]) {
			await tokensOf(own, { resource: RESOURCE });
			const params = { identifier: encodeURIComponent(RESOURCE), client_id: own.client.client_id };
			await api.adminLinkClientResource({ headers: own.headers, params });
		}
		expect((await tenantsOf("oauthResource")).filter((tenant) => tenant !== "platform")).toEqual(
			[a.tenant, b.tenant].sort(),
		);
		expect(await tenantsOf("oauthClientResource")).toEqual([a.tenant, b.tenant].sort());
		// a link may not point at a client of the neighbour's
		const { adapter } = await auth.$context;
		const data = { clientId: b.client.client_id, resourceId: RESOURCE };
		await expect(
			runWithTenant(a.tenant, () => adapter.create({ model: "oauthClientResource", data })),
		).rejects.toMatchObject({ body: { code: "REFERENCE_NOT_IN_TENANT" } });
		await api.adminDeleteOAuthResource({ headers: a.headers, params: { identifier: encodeURIComponent(RESOURCE) } });
		expect(await tenantsOf("oauthClientResource")).toEqual([b.tenant]);
	});
});
