import type { AuthContext } from "@better-auth/core";
import type { Session } from "@better-auth/core/db";
import { isBanned } from "../engine/banned-user.ts";
import { PLATFORM } from "../scope/platform.ts";
import { servicesOf } from "../services.ts";
import { findUser } from "./user.ts";

/**
 * Ends a new session whose user was banned or removed while they signed in. Better Auth looks for a ban before it stores the
 * session, and a ban ends the sessions that are stored. Runs after the commit, so one of both sees the other. Costs one query per
 * sign-in.
 */
export const endSessionOfBanned = (context: AuthContext) => async (session: Session) => {
	if (servicesOf({ context }).pin.current() === PLATFORM) return;
	const user = await findUser({ context }, session.userId);
	if (!user || isBanned(user)) await context.internalAdapter.deleteSession(session.token);
};
