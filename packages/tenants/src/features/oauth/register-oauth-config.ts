import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { type Management, requireTarget } from "../management/management.ts";
import { whileAllowed } from "../management/while-allowed.ts";
import { callbackURLsOf } from "./callback-urls.ts";
import { checkProviderOptions, checkRedirectURI, isBuiltInProvider } from "./config-input.ts";
import type { ConfigRules } from "./config-store.ts";
import { oauthConfigsOf } from "./managed-configs.ts";
import { oauthConfigOpenAPI, showOauthConfig } from "./oauth-config.ts";
import { providerIdInput } from "./provider-id-input.ts";

const KEPT = "If the config exists: omit it to keep the stored value, send null to clear it";

const body = z.object({
	tenantId: z
		.string()
		.meta({ description: "Tenant id. Can also come from resolveTenantId, the query or a header" })
		.optional(),
	providerId: providerIdInput("A built-in social provider"),
	clientId: z.string().min(1).max(2000).meta({ description: "Client id at the provider" }),
	clientSecret: z.string().min(1).max(10_000).meta({ description: "Client secret. The API never returns it" }),
	scopes: z
		.array(z.string().min(1).max(200))
		.max(100)
		.meta({ description: `Scopes to request. ${KEPT}` })
		.nullish(),
	redirectURI: z
		.string()
		.max(2000)
		.meta({ description: `Replaces the default redirect URI. ${KEPT}` })
		.nullish(),
	enabled: z.boolean().meta({ description: "Default: true, also if the config exists and is disabled" }).optional(),
	options: z
		.record(z.string(), z.unknown())
		.meta({
			description: `Settings of this provider besides client id and secret, for example GitLab's issuer. ${KEPT}`,
		})
		.nullish(),
});

/**
 * Stores a tenant's credentials for a provider. A second call for the same provider updates the config: `scopes`,
 * `redirectURI` and `options` stay if they are omitted, and null clears them.
 */
export const registerOauthConfig = (management: Management, checks: { allowPrivateHosts: boolean }) =>
	createAuthEndpoint(
		"/tenant/oauth-config/register",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "oauth-config:register", target: "hint" })],
			metadata: {
				openapi: {
					operationId: "registerTenantOauthConfig",
					description: "Create or update a tenant's OAuth config for a provider",
					responses: {
						"200": {
							description: "The config, without the client secret",
							content: { "application/json": { schema: oauthConfigOpenAPI } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = requireTarget(ctx.context.targetId);
			const { providerId, clientId, clientSecret, scopes, redirectURI, enabled, options } = ctx.body;
			if (!isBuiltInProvider(providerId))
				throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.UNSUPPORTED_PROVIDER);
			const input = { providerId, clientId, clientSecret, scopes, redirectURI, options, enabled: enabled ?? true };
			const rules: ConfigRules = {
				options: (given) => checkProviderOptions(providerId, given ?? undefined, checks),
				redirectURI: (given) => checkRedirectURI(ctx, given),
			};
			const configs = oauthConfigsOf(ctx);
			const callbackURLs = callbackURLsOf(ctx);
			const stored = await whileAllowed(ctx, () => configs.of(tenantId, (store) => store.upsert(input, rules)));
			return ctx.json(showOauthConfig(stored, await callbackURLs(ctx.context, tenantId)));
		},
	);
