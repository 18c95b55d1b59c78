import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { successOpenAPI } from "../../lib/success-response.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { guardUsers } from "../admin/guard.ts";
import { requireOpenTenant } from "../management/open-tenant.ts";
import { invitationsOf } from "./invitations.ts";
import { requireMayInvite } from "./may-invite.ts";

const body = z.object({
	tenantId: z.string().meta({ description: "The tenant" }),
	id: z.string().min(1).meta({ description: "The invitation" }),
});

/** Revokes an invitation. Its link stops working at once. */
export const revokeInvitation = () =>
	createAuthEndpoint(
		"/tenant/invitation/revoke",
		{
			method: "POST",
			body,
			use: [guardUsers("invitation:revoke")],
			metadata: {
				openapi: {
					operationId: "revokeTenantInvitation",
					description: "Revoke an invitation",
					responses: successOpenAPI("Revoked"),
				},
			},
		},
		async (ctx) => {
			const tenantId = await requireOpenTenant(ctx, ctx.context.targetId);
			return runInKnownTenant(tenantId, async () => {
				const store = invitationsOf(ctx).storeOf(tenantId);
				const { id, role } = await store.find(ctx.body.id);
				await requireMayInvite(ctx, tenantId, role);
				await store.revoke({ id, role });
				return ctx.json({ success: true });
			});
		},
	);
