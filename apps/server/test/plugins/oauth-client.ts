import { createHash, randomBytes } from "node:crypto";
import type { Party, PluginWorld } from "./plugin-world.ts";

const REDIRECT = "https://client.example.com/callback";
const VERIFIER = randomBytes(32).toString("base64url");

/** Registers an OAuth client in a tenant, as an operator. */
export const registerClient = async ({ call }: PluginWorld, { id }: Party, more: Record<string, unknown> = {}) => {
	const client = {
		redirect_uris: [REDIRECT],
		token_endpoint_auth_method: "client_secret_post",
		grant_types: ["authorization_code", "refresh_token"],
		scope: "openid email offline_access",
		skip_consent: true,
		...more,
	};
	const made = await call("/tenant/oauth-client/create", { operator: true, body: { tenantId: id, client } });
	if (made.status !== 200) throw new Error(`no client: ${made.status} ${made.text}`);
	return { client_id: String(made.json.client_id), client_secret: String(made.json.client_secret) };
};

export type Client = Awaited<ReturnType<typeof registerClient>>;

/** Opens the authorization endpoint in a party's browser. Returns where it leads. */
export const authorize = async (
	{ call }: PluginWorld,
	{ client_id }: Client,
	party: Pick<Party, "host" | "browser">,
): Promise<URL> => {
	const query = {
		client_id,
		redirect_uri: REDIRECT,
		response_type: "code",
		scope: "openid email offline_access",
		state: "state",
		code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
		code_challenge_method: "S256",
	};
	const { browser, host } = party;
	const { location, json } = await call("/oauth2/authorize", { browser, host, query });
	return new URL(location ?? String(json.url), `https://${host}`);
};

/** Redeems a code at a tenant's host. */
export const redeem = ({ call }: PluginWorld, client: Client, code: string, host: string, verifier = VERIFIER) =>
	call("/oauth2/token", {
		host,
		form: { ...client, grant_type: "authorization_code", code, redirect_uri: REDIRECT, code_verifier: verifier },
	});
