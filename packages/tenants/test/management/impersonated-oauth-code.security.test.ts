import { createHash, randomBytes } from "node:crypto";
import { oauthProvider } from "@better-auth/oauth-provider";
import { jwt, multiSession } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { type Answer, createWorld, MANAGEMENT_KEY, type World } from "test-kit/world";
import { expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";

const REDIRECT = "https://client.example.com/callback";

/** A tenant with an OAuth server, an owner who may impersonate, and a client's request that waits for a sign-in. */
const createPendingRequest = async () => {
	const world = await createWorld({
		allPlugins: withTenants(
			{
				management: {
					keys: [MANAGEMENT_KEY],
					audit: () => {},
					impersonation: { maxAge: 60 },
					authorize: ({ tenantId, session }) =>
						session?.session.tenantId === tenantId && session?.user.email === "owner@example.com",
				},
				deletion: { drainTime: 0 },
			},
			[
				jwt(),
				multiSession(),
				oauthProvider({
					loginPage: "/login",
					consentPage: "/consent",
					scopes: ["openid", "offline_access"],
					silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
				}),
			],
		),
	});
	const tenant = await world.newTenant("acme");
	const neighbor = await world.newTenant("globex");
	const ada = await world.signUp(tenant, "ada@example.com");
	const adaId: string = (await world.call("/get-session", { browser: ada })).json.user.id;
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
			code_challenge: createHash("sha256").update(randomBytes(32).toString("base64url")).digest("base64url"),
			code_challenge_method: "S256",
		},
	});
	const oauth_query = new URL(login.location ?? login.json?.url, "http://localhost:3000").search.slice(1);
	return { world, tenant, neighbor, ada, adaId, owner, oauth_query };
};

/** The authorization code. A client exchanges it for a refresh token that outlives the impersonated session. */
const codeIn = ({ location, json }: Answer): string | null =>
	new URL(location ?? json?.url ?? "/", "http://localhost:3000").searchParams.get("code");

// threat 65
it("returns no authorization code to an operator who impersonates a user with a pending OAuth request", async () => {
	const { world, tenant, adaId, owner, oauth_query } = await createPendingRequest();
	const impersonated = await world.call("/tenant/impersonate", {
		browser: owner,
		body: { tenantId: tenant, userId: adaId, reason: "ticket", oauth_query },
	});
	expect(codeIn(impersonated)).toBeNull();
});

it("returns no authorization code to an impersonated session in a cookie of the multi-session plugin", async () => {
	const { world, tenant, adaId, owner, oauth_query } = await createPendingRequest();
	const impersonated = await world.call("/tenant/impersonate", {
		browser: owner,
		body: { tenantId: tenant, userId: adaId, reason: "ticket" },
	});
	// sends only the copy of the session, under the plugin's cookie name
	const session = [...owner.cookies.keys()].find((name) => name.endsWith("session_token"));
	if (session) owner.cookies.delete(session);
	const active = await world.call("/multi-session/set-active", {
		tenant,
		browser: owner,
		body: { sessionToken: impersonated.json.token, oauth_query },
	});
	expect(codeIn(active)).toBeNull();
});

/** The number of codes and tokens in the database. */
const countIssued = async ({ database }: World): Promise<number> => {
	let rows = 0;
	for (const table of ["verification", "oauthAccessToken", "oauthRefreshToken"])
		rows += (await database.query(`select "id" from "${table}"`)).length;
	return rows;
};

// threat 74
it("returns no authorization code to an impersonated session whose cookie is renamed to a multi-session one", async () => {
	const { world, tenant, neighbor, adaId, owner, oauth_query } = await createPendingRequest();
	const impersonated = await world.call("/tenant/impersonate", {
		browser: owner,
		body: { tenantId: tenant, userId: adaId, reason: "ticket" },
	});
	const token: string = impersonated.json.token;
	const [name = "", signed = ""] = [...owner.cookies].find(([cookie]) => cookie.endsWith("session_token")) ?? [];
	const renamed = new Browser();
	renamed.cookies.set(`${name}_multi-${token.toLowerCase()}`, signed);
	const before = await countIssued(world);
	for (const hint of [tenant, undefined]) {
		const active = await world.call("/multi-session/set-active", {
			tenant: hint,
			browser: renamed,
			body: { sessionToken: token, oauth_query },
		});
		expect([active.status, active.code]).toEqual([403, "IMPERSONATION_NOT_ALLOWED"]);
		expect(codeIn(active)).toBeNull();
		expect(active.headers.getSetCookie()).toEqual([]);
	}
	// the other tenant rejects it too
	const next = await world.call("/multi-session/set-active", {
		tenant: neighbor,
		browser: renamed,
		body: { sessionToken: token },
	});
	expect(next.status).toBe(403);
	expect(await countIssued(world)).toBe(before);
});

it("returns an authorization code to the user for the same request", async () => {
	const { world, tenant, ada, oauth_query } = await createPendingRequest();
	const token: string = (await world.call("/get-session", { browser: ada })).json.session.token;
	const active = await world.call("/multi-session/set-active", {
		tenant,
		browser: ada,
		body: { sessionToken: token, oauth_query },
	});
	expect(codeIn(active)).not.toBeNull();
});
