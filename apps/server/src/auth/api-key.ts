import { apiKey } from "@better-auth/api-key";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthMiddleware } from "better-auth/api";
import type { ApiKeyConfig } from "../config/api-key.ts";

const HEADER = "x-api-key";

/**
 * The api-key plugin. A key stands for a session of its user, but only at the configured endpoints. Everywhere else it would
 * allow all that the user can do, such as changing the password or creating further keys.
 */
export const apiKeyPlugins = ({ endpoints }: NonNullable<ApiKeyConfig>): BetterAuthPlugin[] => [
	{
		id: "api-key-endpoints",
		hooks: {
			before: [
				{
					matcher: ({ path, headers }) => headers?.has(HEADER) === true && !endpoints.includes(path ?? ""),
					handler: createAuthMiddleware(async () => {
						throw APIError.from("FORBIDDEN", {
							code: "API_KEY_NOT_ALLOWED",
							message: "This endpoint does not accept API keys. Sign in, or add the endpoint to API_KEY_ENDPOINTS.",
						});
					}),
				},
			],
		},
	},
	// the plugin allows each key ten requests a day by default; the service has its own limits
	apiKey({ enableSessionForAPIKeys: true, apiKeyHeaders: [HEADER], rateLimit: { enabled: false } }),
];
