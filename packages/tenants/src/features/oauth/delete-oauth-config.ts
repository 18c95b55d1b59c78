import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { successOpenAPI } from "../../lib/success-response.ts";
import { type Management, requireTarget } from "../management/management.ts";
import { whileAllowed } from "../management/while-allowed.ts";
import { oauthConfigsOf } from "./managed-configs.ts";
import { providerIdInput } from "./provider-id-input.ts";

const body = z.object({
	tenantId: z
		.string()
		.meta({ description: "Tenant id. Can also come from resolveTenantId, the query or a header" })
		.optional(),
	providerId: providerIdInput("A built-in social provider"),
});

/** Deletes a tenant's credentials for a provider. Sign-ins fall back to the global provider, if configured. */
export const deleteOauthConfig = (management: Management) =>
	createAuthEndpoint(
		"/tenant/oauth-config/delete",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "oauth-config:delete", target: "hint" })],
			metadata: {
				openapi: {
					operationId: "deleteTenantOauthConfig",
					description: "Delete a tenant's OAuth config for a provider",
					responses: successOpenAPI("Deleted"),
				},
			},
		},
		async (ctx) => {
			const tenantId = requireTarget(ctx.context.targetId);
			const configs = oauthConfigsOf(ctx);
			const deleted = await whileAllowed(ctx, () => configs.of(tenantId, (store) => store.delete(ctx.body.providerId)));
			// same response for another tenant's config, so existence is not revealed
			if (!deleted) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.OAUTH_CONFIG_NOT_FOUND);
			return ctx.json({ success: true });
		},
	);
