import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter, queueAfterTransactionHook } from "@better-auth/core/context";
import type { Session } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { hasScim, isDeactivatedIn } from "../../engine/scim-tables.ts";
import { whenAssigned } from "../../engine/when-assigned.ts";
import { SSO_ERROR_CODES } from "../../errors/sso-error-codes.ts";

export type DeactivatedUsers = ReturnType<typeof readDeactivated>;

/**
 * Users whom a SCIM directory has deactivated or deleted. The SCIM plugin ends their sessions, and leaves it to the application to
 * keep them from signing in again. Null without the plugin. Costs one query per sign-in and use of a credential, two for users of a
 * directory.
 */
export const readDeactivated = (
	context: AuthContext,
	adapter: () => DBAdapter,
	{ inTransaction }: { inTransaction: () => boolean },
) => {
	if (!hasScim(context)) return null;
	const isDeactivated = async (userId: string): Promise<boolean> =>
		isDeactivatedIn(await getCurrentAdapter(adapter()), userId);
	endSessionsAfterCommit(context, { inTransaction, isDeactivated });
	return {
		isDeactivated,
		/** Ends a session that was just written, so that no deactivation can come between. Nobody has its token yet. */
		refuseSession: async ({ userId, token }: Session): Promise<void> => {
			if (!(await isDeactivated(userId))) return;
			await context.internalAdapter.deleteSession(token);
			throw APIError.from("FORBIDDEN", SSO_ERROR_CODES.USER_DEACTIVATED);
		},
	};
};

/**
 * Ends the sessions of a user whom a directory deactivated again when the transaction that ended them is committed. Until then, a
 * sign-in neither sees the deactivation nor waits for it, and nobody would look at its session later. Costs one query per such
 * transaction, and one end of sessions.
 */
const endSessionsAfterCommit = (
	context: AuthContext,
	{
		inTransaction,
		isDeactivated,
	}: { inTransaction: () => boolean; isDeactivated: (userId: string) => Promise<boolean> },
): void =>
	whenAssigned(context, "internalAdapter", (engine) => ({
		...engine,
		deleteUserSessions: async (userId) => {
			await engine.deleteUserSessions(userId);
			if (!inTransaction()) return;
			await queueAfterTransactionHook(async () => {
				// not of a user who proves their email: the same transaction may have signed them in
				if (await isDeactivated(userId)) await engine.deleteUserSessions(userId);
			});
		},
	}));
