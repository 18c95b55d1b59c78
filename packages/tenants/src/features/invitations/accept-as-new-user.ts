import type { GenericEndpointContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { setSessionCookie } from "better-auth/cookies";
import { parseUserInput } from "better-auth/db";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import type { InvitationRow } from "./invitation.ts";
import { useInvitation } from "./use-invitation.ts";
import { rememberUsedInvitation } from "./used-invitations.ts";

type NewUser = { name: string; password: string; rememberMe: boolean; fields: Record<string, unknown> };
type Accepted = { user: User; session: Session | null };

/**
 * Creates the invited user with a password, and signs them in. The link was sent to the address, so the address is verified.
 *
 * Better Auth's own sign-up would create an unverified user, mail a second link and, if verification is required, no session.
 * So this does what that endpoint does, with the same hooks of user, account and session.
 */
export const acceptAsNewUser = async (
	ctx: GenericEndpointContext,
	invitation: InvitationRow,
	{ name, password, rememberMe, fields }: NewUser,
): Promise<Accepted> => {
	const { internalAdapter, options } = ctx.context;
	const { email, role, tenantId } = invitation;
	if (!options.emailAndPassword?.enabled) throw signInRequired();
	assertLength(ctx, password);
	const additional = parseUserInput(options, fields, "create");
	const exists = async (): Promise<boolean> => (await internalAdapter.findUserByEmail(email)) !== null;
	if (await exists()) throw signInRequired();
	// before the transaction, which would otherwise hold a connection for as long as a hash takes
	const hash = await ctx.context.password.hash(password);
	const create = async (): Promise<Accepted> => {
		rememberUsedInvitation({ tenantId, email });
		// as server code, because no request may set a role
		const user = await runInKnownTenant(tenantId, () =>
			internalAdapter.createUser(
				{ ...additional, name, email, emailVerified: true, role },
				{ method: "email-password" },
			),
		);
		if (!user) throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.FAILED_TO_CREATE_USER);
		await internalAdapter.linkAccount({
			userId: user.id,
			providerId: "credential",
			accountId: user.id,
			password: hash,
		});
		if (options.emailAndPassword?.autoSignIn === false) return { user, session: null };
		const session = await internalAdapter.createSession(user.id, !rememberMe);
		if (!session) throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.FAILED_TO_CREATE_SESSION);
		return { user, session };
	};
	const accepted = await useInvitation(ctx, invitation, create).catch(async (error: unknown) => {
		// a parallel sign-up took the address
		if (!(error instanceof APIError) && (await exists())) throw signInRequired();
		throw error;
	});
	if (accepted.session) await setSessionCookie(ctx, { user: accepted.user, session: accepted.session }, !rememberMe);
	return accepted;
};

/** Also if a user with the address exists. Only the holder of the token learns this. */
export const signInRequired = (): APIError =>
	APIError.from("UNAUTHORIZED", INVITATION_ERROR_CODES.INVITATION_SIGN_IN_REQUIRED);

/** The limits of Better Auth's own sign-up. */
const assertLength = ({ context }: GenericEndpointContext, password: string): void => {
	const { minPasswordLength, maxPasswordLength } = context.password.config;
	if (password.length < minPasswordLength) throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.PASSWORD_TOO_SHORT);
	if (password.length > maxPasswordLength) throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.PASSWORD_TOO_LONG);
};
