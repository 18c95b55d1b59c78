import { createAuthEndpoint } from "better-auth/api";
import { guardManagement } from "better-auth-tenants";
import * as z from "zod";
import { actForTenant, callApi, type ServerApi } from "../tenants/act-for-tenant.ts";

const tenant = { tenantId: z.string().meta({ description: "The tenant" }) };
const client = { ...tenant, client_id: z.string().min(1).meta({ description: "The client" }) };
/** Client metadata (RFC 7591, section 2), which the plugin validates. */
const metadata = z.record(z.string(), z.unknown());

/** Endpoints for operators who register OAuth clients in a tenant. */
export const oauthClientEndpoints = (api: ServerApi) => {
	const call = (tenantId: string, name: string, body?: object) =>
		actForTenant(tenantId, () => callApi(api, name, { headers: new Headers(), ...(body ? { body } : {}) }));
	return {
		createTenantOauthClient: createAuthEndpoint(
			"/tenant/oauth-client/create",
			{
				method: "POST",
				body: z.object({ ...tenant, client: metadata.meta({ description: "Its metadata, such as redirect_uris" }) }),
				use: [guardManagement({ action: "oauth-client:create" })],
			},
			async (ctx) => ctx.json(await call(ctx.context.tenantId, "adminCreateOAuthClient", ctx.body.client)),
		),
		listTenantOauthClients: createAuthEndpoint(
			"/tenant/oauth-client/list",
			{
				method: "GET",
				query: z.object(tenant),
				use: [guardManagement({ action: "oauth-client:list", target: "query" })],
			},
			async (ctx) => ctx.json(await call(ctx.context.tenantId, "getOAuthClients")),
		),
		updateTenantOauthClient: createAuthEndpoint(
			"/tenant/oauth-client/update",
			{
				method: "POST",
				body: z.object({ ...client, update: metadata.meta({ description: "The metadata to change" }) }),
				use: [guardManagement({ action: "oauth-client:update" })],
			},
			async ({ body: { client_id, update }, context, json }) =>
				json(await call(context.tenantId, "adminUpdateOAuthClient", { client_id, update })),
		),
		rotateTenantOauthClientSecret: createAuthEndpoint(
			"/tenant/oauth-client/rotate-secret",
			{ method: "POST", body: z.object(client), use: [guardManagement({ action: "oauth-client:rotate" })] },
			async ({ body: { client_id }, context, json }) =>
				json(await call(context.tenantId, "rotateClientSecret", { client_id })),
		),
		deleteTenantOauthClient: createAuthEndpoint(
			"/tenant/oauth-client/delete",
			{ method: "POST", body: z.object(client), use: [guardManagement({ action: "oauth-client:delete" })] },
			async ({ body: { client_id }, context, json }) => {
				await call(context.tenantId, "deleteOAuthClient", { client_id });
				return json({ success: true });
			},
		),
	};
};
