import type { AuthContext } from "@better-auth/core";
import type { Session } from "@better-auth/core/db";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { isBanned } from "../engine/banned-user.ts";
import { PLATFORM } from "../scope/platform.ts";
import { servicesOf } from "../services.ts";
import { endedMeanwhile } from "./session-ends.ts";
import { findUser } from "./user.ts";

/**
 * Refuses a new session whose user was banned or removed while they signed in, or whose other sessions were ended. Better Auth
 * looks for a ban before it stores the session, and what ends sessions ends those that are stored. Runs after the commit, so one
 * of both sees the other. Throws, because Better Auth stores some sessions in the secondary storage only after this, and would
 * continue with a second factor. Costs two queries per sign-in.
 */
export const refuseEndedSessions = (context: AuthContext) => async (session: Session) => {
	if (servicesOf({ context }).pin.current() === PLATFORM) return;
	const user = await findUser({ context }, session.userId);
	if (user && !isBanned(user) && !(await endedMeanwhile({ context }, session))) return;
	await context.internalAdapter.deleteSession(session.token);
	throw APIError.from("UNAUTHORIZED", BASE_ERROR_CODES.SESSION_EXPIRED);
};
