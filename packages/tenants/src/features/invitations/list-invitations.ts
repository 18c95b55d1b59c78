import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { callerRole, recording } from "../admin/act-on-user.ts";
import { guardUsers } from "../admin/guard.ts";
import { requireOpenTenant } from "../management/open-tenant.ts";
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
			use: [guardUsers("invitation:list", "query")],
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
			const tenantId = await requireOpenTenant(ctx, ctx.context.targetId);
			return runInKnownTenant(tenantId, async () => {
				await recording(ctx, undefined, () => callerRole(ctx, tenantId));
				return ctx.json((await invitationsOf(ctx).storeOf(tenantId).list()).map(showInvitation));
			});
		},
	);
