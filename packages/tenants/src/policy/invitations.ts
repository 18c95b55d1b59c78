/** Says whether an open invitation admits an email in a tenant. */
export type InvitationCheck = (tenantId: string, email: string) => Promise<boolean>;

/**
 * Reads the check of invitations, for `signUp: "invitation"`. The plugin that manages invitations puts it on the context of
 * Better Auth, as `tenantInvitations.admits`.
 */
export const invitationsOf = ({ context }: { context: object }): InvitationCheck | undefined =>
	(context as { tenantInvitations?: { admits?: InvitationCheck } }).tenantInvitations?.admits;
