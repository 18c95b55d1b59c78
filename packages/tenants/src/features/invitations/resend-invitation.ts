import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { guardUsers } from "../admin/guard.ts";
import { requireOpenTenant } from "../management/open-tenant.ts";
import { deliver } from "./deliver.ts";
import { invitationOpenAPI, showInvitation } from "./invitation.ts";
import { invitationsOf } from "./invitations.ts";
import { findInviter, requireMayInvite } from "./may-invite.ts";
import { newToken, storedToken } from "./token.ts";

const body = z.object({
	tenantId: z.string().meta({ description: "The tenant" }),
	id: z.string().min(1).meta({ description: "The invitation, which may have expired" }),
});

/**
 * Sends an invitation again, with a new link and a new lifetime. The old link stops working, because only the hash of its
 * token is stored. The caller becomes the inviter.
 */
export const resendInvitation = () =>
	createAuthEndpoint(
		"/tenant/invitation/resend",
		{
			method: "POST",
			body,
			use: [guardUsers("invitation:resend")],
			metadata: {
				openapi: {
					operationId: "resendTenantInvitation",
					description: "Send an invitation again, with a new link",
					responses: {
						"200": { description: "The invitation", content: { "application/json": { schema: invitationOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = await requireOpenTenant(ctx, ctx.context.targetId);
			return runInKnownTenant(tenantId, async () => {
				const store = invitationsOf(ctx).storeOf(tenantId);
				const { id, role } = await store.find(ctx.body.id);
				await requireMayInvite(ctx, tenantId, role);
				const token = newToken();
				const row = await store.renew(id, {
					role,
					token: await storedToken(token),
					findInviter: () => findInviter(ctx, tenantId, role),
				});
				await deliver(ctx, row, token);
				return ctx.json(showInvitation(row));
			});
		},
	);
