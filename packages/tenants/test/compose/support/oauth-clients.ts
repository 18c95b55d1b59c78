import { createHash, randomBytes } from "node:crypto";
import { oauthProvider } from "@better-auth/oauth-provider";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { jwt } from "better-auth/plugins";
import type { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import type { DatabaseKind } from "test-kit/databases";
import type { CallOptions } from "test-kit/world";

const REDIRECT = "https://client.example.com/callback";
export const RESOURCE = "https://api.example.com";
const VERIFIER = randomBytes(32).toString("base64url");

export const form = (fields: Record<string, string>): CallOptions => ({
	body: new URLSearchParams(fields).toString(),
	headers: { "content-type": "application/x-www-form-urlencoded" },
});

export type Client = { client_id: string; client_secret: string };
type AdminApi = Record<"adminCreateOAuthClient", (input: object) => Promise<Client>> &
	Record<
		"adminLinkClientResource" | "adminUpdateOAuthResource" | "adminDeleteOAuthResource",
		(input: object) => Promise<unknown>
	>;

type ClientsOptions = {
	database?: DatabaseKind;
	redis?: boolean;
	engine?: Partial<BetterAuthOptions>;
	jwt?: Parameters<typeof jwt>[0];
	oauth?: Partial<Parameters<typeof oauthProvider>[0]>;
	/** in addition to the OAuth provider */
	plugins?: BetterAuthPlugin[];
	/** for each tenant's client */
	client?: Record<string, unknown>;
};

/** A user and an OAuth client in each of two tenants and on the platform. */
export const withClients = async ({ jwt: jwtOptions, oauth, client, plugins = [], ...where }: ClientsOptions = {}) => {
	const plugin = oauthProvider({
		loginPage: "/login",
		consentPage: "/consent",
		scopes: ["openid", "offline_access", "read"],
		resources: [RESOURCE],
		enforcePerClientResources: false,
		silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
		...oauth,
	});
	const world = await composedWorld([jwt(jwtOptions), plugin, ...plugins], where);
	const api = world.auth.api as object as AdminApi;
	const sideOf = async (tenant: string | undefined) => {
		const browser = await world.signUp(tenant, "ada@example.com");
		const headers = new Headers({ cookie: browser.header(), ...(tenant ? { "x-tenant-id": tenant } : {}) });
		const { client_id, client_secret } = await api.adminCreateOAuthClient({
			headers,
			body: {
				redirect_uris: [REDIRECT],
				skip_consent: true,
				token_endpoint_auth_method: "client_secret_post",
				grant_types: ["authorization_code", "refresh_token", "client_credentials"],
				scope: "openid offline_access read",
				...client,
			},
		});
		return { tenant: tenant ?? "platform", browser, headers, client: { client_id, client_secret } };
	};
	const [a, b, platform] = [await sideOf(world.a), await sideOf(world.b), await sideOf(undefined)];
	type Party = typeof a;
	const authorize = async (
		{ client_id }: Client,
		{ browser }: { browser: Browser | undefined },
		more: Record<string, string> = {},
		call: CallOptions = {},
	): Promise<URL> => {
		const query = {
			client_id,
			redirect_uri: REDIRECT,
			response_type: "code",
			scope: "openid offline_access read",
			state: "state",
			code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
			code_challenge_method: "S256",
			...more,
		};
		const { location, json } = await world.call("/oauth2/authorize", { browser, query, ...call });
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
	type Signed = Pick<Party, "client" | "browser">;
	const codeOf = async ({ client, browser }: Signed, query: Record<string, string> = {}): Promise<string> =>
		(await authorize(client, { browser }, query)).searchParams.get("code") ?? "";
	const tokensOf = async (party: Signed, more: Record<string, string> = {}, query: Record<string, string> = {}) =>
		(await redeem(party.client, await codeOf(party, query), more)).json as Record<string, string>;
	const introspect = (client: Client, token: string, tenant?: string, hint = "access_token") =>
		world.call("/oauth2/introspect", { ...form({ ...client, token, token_type_hint: hint }), tenant });
	return { ...world, api, a, b, platform, authorize, redeem, codeOf, tokensOf, introspect };
};
