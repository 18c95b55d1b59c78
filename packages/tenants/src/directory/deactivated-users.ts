import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Session } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { hasScim, isDeactivatedIn } from "../engine/scim-tables.ts";
import { SSO_ERROR_CODES } from "../sso-error-codes.ts";

export type DeactivatedUsers = ReturnType<typeof readDeactivated>;

/**
 * Users whom a SCIM directory has deactivated or deleted. The SCIM plugin ends their sessions, and leaves it to the application to
 * keep them from signing in again. Null without the plugin. Costs one query per sign-in and use of a credential, two for users of a
 * directory.
 */
export const readDeactivated = (context: AuthContext, adapter: () => DBAdapter) => {
	if (!hasScim(context)) return null;
	const isDeactivated = async (userId: string): Promise<boolean> =>
		isDeactivatedIn(await getCurrentAdapter(adapter()), userId);
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
