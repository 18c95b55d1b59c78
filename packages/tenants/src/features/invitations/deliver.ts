import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { withTag } from "../../scope/pin/tag.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import type { InvitationRow } from "./invitation.ts";
import { invitationsOf } from "./invitations.ts";
import type { InvitationMail, InvitingTenant } from "./options.ts";

/** The tenant as mails and the accept page show it. */
export const invitingTenant = async (
	ctx: Pick<GenericEndpointContext, "context">,
	tenantId: string,
): Promise<InvitingTenant> => {
	const tenant = await tenantStoreOf(ctx).findOpen({ id: tenantId });
	if (!tenant) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
	return { id: tenant.id, name: tenant.name, slug: tenant.slug };
};

/** Who invites, as mails and the accept page show it. Null if an operator does. */
export const inviterOf = async (
	{ context }: Pick<GenericEndpointContext, "context">,
	{ inviterId }: Pick<InvitationRow, "inviterId">,
): Promise<InvitationMail["inviter"]> => {
	const user = inviterId === null ? null : await context.internalAdapter.findUserById(inviterId);
	return user && { name: user.name, email: user.email };
};

/** Sends an invitation, after it was stored. The token leaves the server here only. */
export const deliver = async (ctx: GenericEndpointContext, row: InvitationRow, token: string): Promise<void> => {
	const { tenantId, email, role, expiresAt } = row;
	const { sendInvitation, acceptURL } = invitationsOf(ctx).options;
	const tenant = await invitingTenant(ctx, tenantId);
	const inviter = await inviterOf(ctx, row);
	const tagged = withTag(token, tenantId);
	try {
		const url = new URL(typeof acceptURL === "function" ? acceptURL(tenant) : acceptURL);
		url.searchParams.set("token", tagged);
		await sendInvitation({
			email,
			role,
			url: url.toString(),
			token: tagged,
			expiresAt,
			tenant,
			inviter,
		});
	} catch (error) {
		ctx.context.logger.error("tenantInvitations: sendInvitation or acceptURL threw. Fix it, then resend.", error);
		throw APIError.from("SERVICE_UNAVAILABLE", INVITATION_ERROR_CODES.INVITATION_NOT_SENT);
	}
};
