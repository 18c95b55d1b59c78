import type { GenericEndpointContext } from "@better-auth/core";
import type { InvitationRow } from "./invitation.ts";
import { notFound } from "./invitation-store.ts";
import { invitationsOf } from "./invitations.ts";
import { isBacked } from "./may-invite.ts";

/**
 * Uses an invitation up and runs `use`, in one transaction. The inviter is checked again inside of it, where no role of the
 * tenant can change.
 */
export const useInvitation = <Result>(
	ctx: GenericEndpointContext,
	invitation: InvitationRow,
	use: () => Promise<Result>,
): Promise<Result> =>
	invitationsOf(ctx)
		.storeOf(invitation.tenantId)
		.consume(invitation, async () => {
			if (!(await isBacked(ctx, invitation))) throw notFound();
			return use();
		});
