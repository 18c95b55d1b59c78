import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { guardManagement } from "../management/guard-management.ts";
import { runWithTenant } from "../scope/tenant-context.ts";
import { invitationOpenAPI, showInvitation } from "./invitation.ts";
import { invitationsOf } from "./invitations.ts";

const query = z.object({ tenantId: z.string().meta({ description: "The tenant" }) });

/** Lists the open invitations of a tenant, newest first. */
export const listInvitations = () =>
	createAuthEndpoint(
		"/tenant/invitation/list",
		{
			method: "GET",
			query,
			use: [guardManagement({ action: "invitation:list", target: "query" })],
			metadata: {
				openapi: {
					operationId: "listTenantInvitations",
					description: "List the open invitations of a tenant",
					responses: {
						"200": {
							description: "The invitations",
							content: { "application/json": { schema: { type: "array", items: invitationOpenAPI } } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const { tenantId } = ctx.context;
			const rows = await runWithTenant(tenantId, () => invitationsOf(ctx).storeOf(tenantId).list());
			return ctx.json(rows.map(showInvitation));
		},
	);
