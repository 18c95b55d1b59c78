import type { GenericEndpointContext } from "@better-auth/core";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import type { InvitationRow } from "./invitation.ts";
import { notFound } from "./invitation-store.ts";
import { invitationsOf } from "./invitations.ts";
import { isBacked } from "./may-invite.ts";
import { storedToken } from "./token.ts";

/**
 * Finds the open invitation of a token in the tenant of the request. Throws the same error if there is none, if it is of
 * another tenant, and if its inviter could not invite any more.
 */
export const findByToken = async (ctx: GenericEndpointContext, token: string): Promise<InvitationRow> => {
	ctx.setHeader("cache-control", "no-store");
	// the accept page has the token in its address
	ctx.setHeader("referrer-policy", "no-referrer");
	const tenantId = pinOf(ctx).current();
	if (tenantId === PLATFORM) throw notFound();
	const row = await invitationsOf(ctx)
		.storeOf(tenantId)
		.findOpen({ token: await storedToken(token) });
	if (!row || !(await isBacked(ctx, row))) throw notFound();
	return row;
};
