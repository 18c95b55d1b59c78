import type { GenericEndpointContext } from "@better-auth/core";
import type { User } from "@better-auth/core/db";
import { APIError } from "@better-auth/core/error";
import { getAuthoritativeSessionFromCtx } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { isBanned } from "../../engine/banned-user.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { newEpoch } from "../rights/epoch.ts";
import { endChangeLinks } from "../unproven/ended-links.ts";
import { noPhoneNumber } from "../unproven/ways-in.ts";
import { roleOf } from "../users/roles.ts";
import { findUser, type UserRow } from "../users/user.ts";
import { signInRequired } from "./accept-as-new-user.ts";
import { assertKnowsPassword, endOtherSessions, revokeWaysIn } from "./end-other-access.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import type { InvitationRow } from "./invitation.ts";
import { isHigher } from "./may-invite.ts";
import { useInvitation } from "./use-invitation.ts";

/**
 * Gives the signed-in user the role of the invitation. The user must have the invited address, verified: by Better Auth, or by
 * the provider that they signed up with. A role is never lowered.
 *
 * If the role rises, the user proves their password, and every other way in ends: sessions, passkeys, API keys, linked accounts,
 * the phone number, wallets, and links that change the email.
 * Someone who signed up with the address before its owner did may still have one.
 */
export const acceptAsExistingUser = async (
	ctx: GenericEndpointContext,
	invitation: InvitationRow,
	password: string | undefined,
): Promise<User> => {
	const { internalAdapter } = ctx.context;
	const signedIn = await getAuthoritativeSessionFromCtx(ctx);
	if (!signedIn || signedIn.session.impersonatedBy != null) throw signInRequired();
	const { session, user } = signedIn;
	const { role, tenantId } = invitation;
	const rises = async (): Promise<boolean> => {
		// the user of a session may be a copy from before a ban, another address or another role
		const stored = await findUser(ctx, user.id);
		if (!stored || isBanned(stored)) throw signInRequired();
		assertInvited(stored, invitation);
		return isHigher(role, roleOf(stored.role));
	};
	const rightsEpoch = newEpoch();
	const expected = await rises();
	// before the transaction, which would otherwise hold a connection for as long as a hash takes
	if (expected) await assertKnowsPassword(ctx, user.id, password);
	// as server code, because no request may set a role; refused if the session ended since it was read
	const changeUser = (change: object): Promise<User> =>
		runInKnownTenant(tenantId, () => internalAdapter.updateUser<User>(user.id, change));
	const updated = await useInvitation(ctx, invitation, async () => {
		if (!(await rises())) {
			await changeUser({ updatedAt: new Date() });
			return null;
		}
		if (!expected) throw signInRequired();
		const change = { role, ...noPhoneNumber(ctx), rightsEpoch, apiKeysSince: new Date() };
		// first, because it locks the user: a request that writes a way in waits for it, or has written what is deleted next
		const changed = await changeUser(change);
		await revokeWaysIn(ctx, user.id);
		await endChangeLinks(ctx, user.id);
		return changed;
	});
	if (!updated) return user;
	// the session that accepted goes on in the new epoch
	const kept = { ...session, rightsEpoch };
	await internalAdapter.updateSession(session.token, { rightsEpoch } as Partial<typeof kept>);
	await endOtherSessions(ctx, updated, session.token);
	// the cookie cache has the old role
	await setSessionCookie(ctx, { session: kept, user: updated });
	return updated;
};

const assertInvited = ({ email, emailVerified }: UserRow, invitation: InvitationRow): void => {
	if (email !== invitation.email) throw APIError.from("FORBIDDEN", INVITATION_ERROR_CODES.INVITATION_EMAIL_MISMATCH);
	if (!emailVerified) throw APIError.from("FORBIDDEN", INVITATION_ERROR_CODES.INVITATION_EMAIL_NOT_VERIFIED);
};
