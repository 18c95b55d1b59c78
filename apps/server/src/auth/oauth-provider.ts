import { oauthProvider } from "@better-auth/oauth-provider";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import type { OauthProviderConfig } from "../config/oauth-provider.ts";
import { isActingForTenant, type ServerApi } from "../tenants/act-for-tenant.ts";
import { oauthClientEndpoints } from "./oauth-clients.ts";

/** The owner of a tenant's clients. They belong to the tenant, so deleting a user deletes none. */
const OWNER = "tenant";

/** The oauth-provider plugin, and endpoints for operators who register a tenant's clients. Users cannot register clients. */
export const oauthProviderPlugins = (
	{ loginPage, consentPage }: NonNullable<OauthProviderConfig>,
	api: ServerApi,
): BetterAuthPlugin[] => [
	oauthProvider({
		loginPage,
		consentPage,
		// the consent page asks for the client with the signed query, so that it shows nothing that is not signed
		allowPublicClientPrelogin: true,
		clientReference: () => OWNER,
		clientPrivileges: isActingForTenant,
		resourcePrivileges: isActingForTenant,
		// both documents are served below BASE_PATH
		silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
	}),
	{ id: "oauth-clients", endpoints: oauthClientEndpoints(api), hooks: { before: [signOperatorIn] } },
];

/** The plugin's endpoints need a session. Operators have none in the tenant, so their calls get one of nobody. */
const signOperatorIn = {
	matcher: isActingForTenant,
	handler: createAuthMiddleware(async ({ context }) => {
		const now = new Date();
		const dates = { createdAt: now, updatedAt: now };
		context.session = {
			session: { id: "", token: "", userId: "", expiresAt: now, ...dates },
			user: { id: "", name: "", email: "", emailVerified: false, ...dates },
		};
	}),
};
