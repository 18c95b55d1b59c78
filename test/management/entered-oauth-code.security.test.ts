import { createHash, randomBytes } from "node:crypto";
import { oauthProvider } from "@better-auth/oauth-provider";
import { jwt } from "better-auth/plugins";
import { expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";
import { createWorld, MANAGEMENT_KEY } from "../support/world.ts";

const REDIRECT = "https://client.example.com/callback";
const VERIFIER = randomBytes(32).toString("base64url");

// threat 65
it("gives no authorization code, and so no refresh token, to whoever enters with a pending OAuth request", async () => {
	const plugin = oauthProvider({
		loginPage: "/login",
		consentPage: "/consent",
		scopes: ["openid", "offline_access"],
		silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
	});
	const world = await createWorld({
		allPlugins: withTenants(
			{
				management: {
					keys: [MANAGEMENT_KEY],
					audit: () => {},
					enter: { maxAge: 60 },
					// a tenant's owner manages his tenant
					authorize: ({ tenantId, session }) =>
						session?.session.tenantId === tenantId && session?.user.email === "owner@example.com",
				},
				deletion: { grace: 0 },
			},
			[jwt(), plugin],
		),
	});
	const tenant = await world.newTenant("acme");
	const ada = await world.signUp(tenant, "ada@example.com");
	const adaId = (await world.call("/get-session", { browser: ada })).json.user.id;
	const owner = await world.signUp(tenant, "owner@example.com");
	const api = world.auth.api as object as Record<string, (input: object) => Promise<Record<string, string>>>;
	const client = await api.adminCreateOAuthClient?.({
		headers: new Headers({ "x-tenant-id": tenant, cookie: owner.header() }),
		body: {
			redirect_uris: [REDIRECT],
			skip_consent: true,
			token_endpoint_auth_method: "client_secret_post",
			grant_types: ["authorization_code", "refresh_token"],
			scope: "openid offline_access",
		},
	});
	// not signed in: the engine signs the request for the login page
	const login = await world.call("/oauth2/authorize", {
		query: {
			client_id: client?.client_id ?? "",
			redirect_uri: REDIRECT,
			response_type: "code",
			scope: "openid offline_access",
			state: "state",
			code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
			code_challenge_method: "S256",
		},
	});
	const oauth_query = new URL(login.location ?? login.json?.url, "http://localhost:3000").search.slice(1);
	const entered = await world.call("/tenant/enter", {
		browser: owner,
		body: { tenantId: tenant, userId: adaId, reason: "ticket", oauth_query },
	});
	const code = new URL(entered.location ?? entered.json?.url ?? "/", "http://localhost:3000").searchParams.get("code");
	if (code) {
		const tokens = await world.call("/oauth2/token", {
			body: new URLSearchParams({
				client_id: client?.client_id ?? "",
				client_secret: client?.client_secret ?? "",
				grant_type: "authorization_code",
				code,
				redirect_uri: REDIRECT,
				code_verifier: VERIFIER,
			}).toString(),
			headers: { "content-type": "application/x-www-form-urlencoded" },
		});
		await world.call("/oauth2/userinfo", {
			headers: { authorization: `Bearer ${tokens.json?.access_token}` },
		});
	}
	expect(code).toBeNull();
});
