import type { GenericEndpointContext } from "@better-auth/core";
import { defineService } from "../../engine/service.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { findInvitations } from "./invitations.ts";
import { isBacked } from "./may-invite.ts";
import { hasUsedInvitation } from "./used-invitations.ts";

/** A user who is about to be created. */
type Newcomer = { tenantId: string; email: string; emailVerified: boolean };

/** Call both in the scope of the tenant. */
type InvitationAdmission = {
	admits: (newcomer: Newcomer) => Promise<boolean>;
	markUsed: (newcomer: Newcomer) => Promise<void>;
};

/** The open invitations, for a policy that lets only invited users sign up. */
export const admissionOf = defineService<(ctx: GenericEndpointContext) => InvitationAdmission>("invitations");

/** For a policy that lets only invited users sign up. */
export const invitationAdmission = (ctx: GenericEndpointContext): InvitationAdmission => {
	const openFor = async ({ tenantId, email }: Newcomer) =>
		(await findInvitations(ctx.context)?.storeOf(tenantId).findOpen({ email: email.toLowerCase() })) ?? null;
	return {
		/**
		 * Whether an invitation admits a new user. The address must be verified (by a provider, a magic link or a code), because
		 * otherwise anyone who guesses an invited address could take it.
		 */
		admits: async (newcomer: Newcomer): Promise<boolean> => {
			const { tenantId, email, emailVerified } = newcomer;
			if (tenantId === PLATFORM) return false;
			if (hasUsedInvitation({ tenantId, email: email.toLowerCase() })) return true;
			if (!emailVerified) return false;
			const invitation = await openFor(newcomer);
			return invitation !== null && isBacked(ctx, invitation);
		},
		/**
		 * Uses up the invitation of a user who was created. An invitation to a higher role stays open: only its token grants
		 * the role, because a tenant's own provider can claim any address.
		 */
		markUsed: async (newcomer: Newcomer): Promise<void> => {
			const invitation = await openFor(newcomer);
			if (invitation?.role !== "member") return;
			await findInvitations(ctx.context)?.storeOf(newcomer.tenantId).discard(invitation);
		},
	};
};
