import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { type Jwk, jwt } from "better-auth/plugins";
import { decodeJwt, decodeProtectedHeader, SignJWT } from "jose";
import { composedWorld } from "test-kit/composed-world";
import { describe, expect, it, onTestFinished } from "vitest";
import { runWithTenant } from "../../src/index.ts";
import { form, RESOURCE, withClients } from "./support/oauth-clients.ts";

type JwtApi = {
	signJWT: (input: { body: { payload: object; overrideOptions?: object } }) => Promise<{ token: string }>;
	verifyJWT: (input: { body: { token: string } }) => Promise<{ payload: Record<string, unknown> | null }>;
};

const FORGED = { tenant_id: "forged" };

/** Two tenants and the platform, each with a user who claims another tenant in every writable field. */
const withJwt = async (options: Parameters<typeof jwt>[0] = {}) => {
	const world = await composedWorld([jwt(options)], {
		engine: { user: { additionalFields: { tenant_id: { type: "string", required: false } } } },
	});
	const api = world.auth.api as object as JwtApi;
	const sideOf = async (tenant: string) => {
		const browser = await world.signUp(tenant === "platform" ? undefined : tenant, "ada@example.com");
		await world.ok("/update-user", { browser, body: FORGED });
		return { tenant, browser };
	};
	const sides = [await sideOf(world.a), await sideOf(world.b), await sideOf("platform")] as const;
	/** One token of each kind. */
	const mint = async ({ tenant, browser }: (typeof sides)[number]): Promise<string[]> => {
		const { headers } = await world.ok("/get-session", { browser });
		const sign = (body: { payload: object; overrideOptions?: object }) =>
			runWithTenant(tenant, () => api.signJWT({ body }));
		const payload = { sub: "ada", ...FORGED };
		return [
			(await world.ok("/token", { browser })).json.token,
			headers.get("set-auth-jwt") ?? "",
			(await sign({ payload })).token,
			(await sign({ payload, overrideOptions: { jwt: { issuer: "https://other.example.com" } } })).token,
		];
	};
	const verify = (tenant: string, token: string) => runWithTenant(tenant, () => api.verifyJWT({ body: { token } }));
	return { ...world, sides, mint, verify };
};

const claimOf = (token: string): unknown => decodeJwt(token).tenant_id;

describe("tokens of the jwt plugin", () => {
	// threat 81
	it.each([
		["as they are", {}],
		["with a payload of the application's own", { jwt: { definePayload: () => ({ ...FORGED }) } }],
	])("carry their tenant, whatever users and payloads claim, %s", async (_, options) => {
		const { sides, mint } = await withJwt(options);
		for (const side of sides) {
			const minted = await mint(side);
			expect(minted.map(claimOf)).toEqual(minted.map(() => side.tenant));
		}
	});

	// threat 81
	it("carry their tenant if the application signs them itself", async () => {
		const signed: Record<string, unknown>[] = [];
		const key = new TextEncoder().encode("a key that a service keeps, 32 letters");
		const { sides, mint } = await withJwt({
			jwks: { remoteUrl: "https://keys.example.com/jwks", keyPairConfig: { alg: "ES256" } },
			jwt: {
				sign: async (payload) => {
					signed.push(payload);
					return new SignJWT(payload).setProtectedHeader({ alg: "HS256" }).sign(key);
				},
			},
		});
		for (const side of sides) {
			signed.length = 0;
			const minted = await mint(side);
			// the last one is signed by the engine's keys, as `overrideOptions` says
			expect(signed.map(({ tenant_id }) => tenant_id)).toEqual(minted.slice(1).map(() => side.tenant));
			expect(minted.map(claimOf)).toEqual(minted.map(() => side.tenant));
		}
	});

	// threat 81
	it("verify in their own tenant only, even if all tenants share one set of keys", async () => {
		const keys: Jwk[] = [];
		const shared = {
			jwks: { disablePrivateKeyEncryption: true },
			adapter: {
				getJwks: async () => keys,
				createJwk: async (data: Omit<Jwk, "id">) => {
					const key = { ...data, id: randomUUID() };
					keys.push(key);
					return key;
				},
			},
		};
		for (const options of [{}, shared]) {
			const { sides, mint, verify } = await withJwt(options);
			for (const side of sides) {
				const [token = ""] = await mint(side);
				for (const { tenant } of sides) {
					const { payload } = await verify(tenant, token);
					expect(payload?.tenant_id ?? null).toBe(tenant === side.tenant ? tenant : null);
				}
			}
		}
		expect(keys).toHaveLength(1);
	});

	it("sign cached sessions as before", async () => {
		const world = await composedWorld([jwt({ sessionCookieCache: true })], {
			engine: { session: { cookieCache: { enabled: true, strategy: "jwt" } } },
		});
		for (const tenant of [world.a, world.b]) {
			const browser = await world.signUp(tenant, "ada@example.com");
			expect((await world.whoami(browser)).session.tenantId).toBe(tenant);
		}
	});
});

describe("tokens of the OAuth provider", () => {
	// threat 81
	it("carry their tenant, whatever clients, resources and custom claims say", async () => {
		const { a, b, platform, api, tokensOf, call } = await withClients({
			oauth: {
				clientPrivileges: () => true,
				customAccessTokenClaims: () => FORGED,
				customIdTokenClaims: () => FORGED,
				customUserInfoClaims: () => FORGED,
			},
			client: { client_credentials_scopes: ["read"] },
		});
		for (const side of [a, b, platform]) {
			const params = { identifier: encodeURIComponent(RESOURCE) };
			await tokensOf(side, { resource: RESOURCE });
			await api.adminUpdateOAuthResource({ headers: side.headers, params, body: { customClaims: FORGED } });
			const tokens = await tokensOf(side, { resource: RESOURCE });
			const refreshed = await call(
				"/oauth2/token",
				form({
					...side.client,
					grant_type: "refresh_token",
					refresh_token: tokens.refresh_token ?? "",
					resource: RESOURCE,
				}),
			);
			const machine = await call(
				"/oauth2/token",
				form({ ...side.client, grant_type: "client_credentials", scope: "read", resource: RESOURCE }),
			);
			const signed = [
				tokens.access_token,
				tokens.id_token,
				refreshed.json.access_token,
				refreshed.json.id_token,
				machine.json.access_token,
			];
			expect(signed.map((token = "") => claimOf(token))).toEqual(signed.map(() => side.tenant));
		}
	});

	// threat 81
	it("carry their tenant in introspection and user info", async () => {
		const { a, b, platform, tokensOf, introspect, call } = await withClients({
			oauth: { customAccessTokenClaims: () => FORGED, customUserInfoClaims: () => FORGED },
		});
		for (const side of [a, b, platform]) {
			const opaque = await tokensOf(side);
			const signed = await tokensOf(side, { resource: RESOURCE });
			for (const [token, hint] of [
				[opaque.access_token, "access_token"],
				[opaque.refresh_token, "refresh_token"],
				[signed.access_token, "access_token"],
			]) {
				const { json } = await introspect(side.client, token ?? "", undefined, hint);
				expect(json).toMatchObject({ active: true, tenant_id: side.tenant });
			}
			const unknown = await introspect(side.client, "unknown", undefined, "refresh_token");
			expect(unknown.json).toEqual({ active: false });
			const headers = { authorization: `Bearer ${opaque.access_token}` };
			expect((await call("/oauth2/userinfo", { headers })).json).toMatchObject({ tenant_id: side.tenant });
			const stranger = await call("/oauth2/userinfo", { headers: { authorization: "Bearer unknown" } });
			expect([stranger.status, stranger.json.tenant_id]).toEqual([401, undefined]);
		}
	});

	it("keep `at_hash` in the ID token, in the configured algorithm", async () => {
		for (const [options, hash] of [
			[{}, "sha512"],
			[{ jwks: { keyPairConfig: { alg: "ES256" as const } } }, "sha256"],
		] as const) {
			const { a, b, tokensOf } = await withClients({ jwt: options });
			for (const side of [a, b]) {
				const { access_token = "", id_token = "" } = await tokensOf(side, { resource: RESOURCE });
				const digest = createHash(hash).update(access_token).digest();
				expect(decodeJwt(id_token).at_hash).toBe(digest.subarray(0, digest.length / 2).toString("base64url"));
				expect(decodeProtectedHeader(id_token).alg).toBe(decodeProtectedHeader(access_token).alg);
			}
		}
	});

	// threat 81
	it("carry their tenant in back-channel logout", async () => {
		const received: string[] = [];
		const server = createServer(async (request, response) => {
			let body = "";
			for await (const chunk of request) body += chunk;
			received.push(new URLSearchParams(body).get("logout_token") ?? "");
			response.writeHead(204).end();
		}).listen(0, "127.0.0.1");
		onTestFinished(() => void server.close());
		await new Promise((resolve) => server.once("listening", resolve));
		const { port } = server.address() as { port: number };
		const { a, b, tokensOf, ok, database } = await withClients();
		// the plugin accepts public https addresses only; the test inspects what it sends
		await database.query(`update "oauthClient" set "backchannelLogoutUri" = 'http://127.0.0.1:${port}/'`);
		for (const side of [a, b]) {
			await tokensOf(side);
			received.length = 0;
			await ok("/sign-out", { browser: side.browser, body: {} });
			await expect.poll(() => received.map(claimOf)).toEqual([side.tenant]);
			expect(decodeProtectedHeader(received[0] ?? "").typ).toBe("logout+jwt");
		}
	});
});
