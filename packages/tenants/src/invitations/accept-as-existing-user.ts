import type { GenericEndpointContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import { APIError } from "@better-auth/core/error";
import { getAuthoritativeSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { roleOf } from "../admin/roles.ts";
import { findUser, isBanned, type UserRow } from "../admin/user.ts";
import { runInKnownTenant } from "../scope/tenant-context.ts";
import { signInRequired } from "./accept-as-new-user.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import { isHigher } from "./granting.ts";
import type { InvitationRow } from "./invitation.ts";
import { useInvitation } from "./use-invitation.ts";

/**
 * Gives the signed-in user the role of the invitation. The user must have the invited address, verified: by Better Auth, or by
 * the provider that they signed up with. A role is never lowered.
 *
 * If the role rises, the other sessions of the user end. Someone who signed up with the address before its owner did may still
 * have one.
 */
export const acceptAsExistingUser = async (ctx: GenericEndpointContext, invitation: InvitationRow): Promise<User> => {
	const { internalAdapter } = ctx.context;
	const signedIn = await getAuthoritativeSessionFromCtx(ctx);
	if (!signedIn || signedIn.session.impersonatedBy != null) throw signInRequired();
	const { session, user } = signedIn;
	const { role, tenantId } = invitation;
	const updated = await useInvitation(ctx, invitation, async () => {
		// the user of a session may be a copy from before a ban, another address or another role
		const stored = await findUser(ctx, user.id);
		if (!stored || isBanned(stored)) throw signInRequired();
		assertInvited(stored, invitation);
		if (!isHigher(role, roleOf(stored.role))) return null;
		// as server code, because no request may set a role
		return runInKnownTenant(tenantId, () => internalAdapter.updateUser<User>(user.id, { role }));
	});
	if (!updated) return user;
	for (const { token } of await internalAdapter.listSessions(user.id))
		if (token !== session.token) await internalAdapter.deleteSession(token);
	// the cookie cache has the old role
	await setSessionCookie(ctx, { session, user: updated });
	return updated;
};

const assertInvited = ({ email, emailVerified }: UserRow, invitation: InvitationRow): void => {
	if (email !== invitation.email) throw APIError.from("FORBIDDEN", INVITATION_ERROR_CODES.INVITATION_EMAIL_MISMATCH);
	if (!emailVerified) throw APIError.from("FORBIDDEN", INVITATION_ERROR_CODES.INVITATION_EMAIL_NOT_VERIFIED);
};
