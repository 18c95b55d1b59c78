import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { type Management, requireTarget } from "../management/management.ts";
import { callbackURLsOf } from "./callback-urls.ts";
import { oauthConfigsOf } from "./managed-configs.ts";
import { oauthConfigOpenAPI, showOauthConfig } from "./oauth-config.ts";

const query = z
	.object({
		tenantId: z.string().meta({ description: "Tenant id. Can also come from resolveTenantId or a header" }).optional(),
	})
	.optional();

/**
 * Lists a tenant's configs with their client ids. Never returns client secrets. A config that cannot be decrypted has
 * `readable: false`.
 */
export const listOauthConfigs = (management: Management) =>
	createAuthEndpoint(
		"/tenant/oauth-config/list",
		{
			method: "GET",
			query,
			use: [management.guard({ action: "oauth-config:list", target: "hint" })],
			metadata: {
				openapi: {
					operationId: "listTenantOauthConfigs",
					description: "List a tenant's OAuth configs",
					// the engine does not generate parameters from an optional query schema
					parameters: [
						{
							name: "tenantId",
							in: "query",
							schema: { type: "string" },
							description: "Tenant id. Can also come from resolveTenantId or a header",
						},
					],
					responses: {
						"200": {
							description: "The configs, without client secrets",
							content: { "application/json": { schema: { type: "array", items: oauthConfigOpenAPI } } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const configs = oauthConfigsOf(ctx);
			const callbackURLs = callbackURLsOf(ctx);
			const tenantId = requireTarget(ctx.context.targetId);
			const listed = await configs.read(tenantId, (store) => store.list());
			const urlsOf = await callbackURLs(ctx.context, tenantId);
			return ctx.json(listed.map((config) => showOauthConfig(config, urlsOf)));
		},
	);
