import { apiKey } from "@better-auth/api-key";
import { oauthProvider } from "@better-auth/oauth-provider";
import { passkey } from "@better-auth/passkey";
import { scim } from "@better-auth/scim";
import { sso } from "@better-auth/sso";
import { stripe } from "@better-auth/stripe";
import type { BetterAuthPlugin } from "better-auth";
import { type createStripeServer, PRICE, WEBHOOK_SECRET } from "test-kit/stripe-server";
import { ORIGIN } from "test-kit/world";

export type StripeServer = Awaited<ReturnType<typeof createStripeServer>>;

/** Nothing is listening there. Separate tests cover the responses of identity providers. */
export const NOBODY = "https://127.0.0.1:9";

/** The configured resource, which every tenant has under the same identifier. */
export const RESOURCE = "https://api.example.com";

/** Every separately published plugin with endpoints. */
export const packagedPlugins = (server: StripeServer): BetterAuthPlugin[] => [
	passkey({ rpID: "localhost", origin: ORIGIN }),
	apiKey({ enableSessionForAPIKeys: true, enableMetadata: true, rateLimit: { enabled: false } }),
	sso({ domainVerification: { enabled: true } }),
	scim({ connections: [], managedConnections: { credentialHashSecret: "a secret of the SCIM plugin, 40 letters.." } }),
	oauthProvider({
		loginPage: "/login",
		consentPage: "/consent",
		scopes: ["openid", "profile", "email", "offline_access", "read"],
		resources: [RESOURCE],
		enforcePerClientResources: false,
		allowDynamicClientRegistration: true,
		clientPrivileges: () => true,
		silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
	}),
	stripe({
		stripeClient: server.client,
		stripeWebhookSecret: WEBHOOK_SECRET,
		createCustomerOnSignUp: true,
		organization: { enabled: true },
		subscription: {
			enabled: true,
			plans: [
				{ name: "pro", priceId: PRICE },
				{ name: "basic", priceId: "price_basic" },
			],
			authorizeReference: async () => true,
		},
	}),
];
