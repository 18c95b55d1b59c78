import { isImpersonatedSession } from "../../scope/sessions/impersonated-session.ts";
import { proofOf } from "../../scope/sessions/session-proof.ts";

/** A session of a user, as it is compared with the others. */
export type LiveSession = {
	token: string;
	/** when it was created or renewed, in milliseconds */
	since: number;
	expiresAt: number;
	/** an operator or an administrator acts as the user */
	isImpersonated: boolean;
};

type Bound = {
	max: number;
	/** sessions that are being created, which never end */
	isNew: (token: string) => boolean;
};

/**
 * The tokens of the sessions beyond the limit: those that were created or renewed the longest ago. A user's own sessions and
 * those of operators who act as the user have the limit each, so that neither can end the other's.
 */
export const findOldest = (sessions: LiveSession[], { max, isNew }: Bound): string[] =>
	[false, true].flatMap((isImpersonated) => {
		const alike = sessions.filter((session) => session.isImpersonated === isImpersonated);
		return alike
			.filter(({ token }) => !isNew(token))
			.sort((one, other) => one.since - other.since || one.expiresAt - other.expiresAt)
			.slice(0, Math.max(0, alike.length - max))
			.map(({ token }) => token);
	});

type Impersonated = { token: string; operatorId?: unknown; impersonatedBy?: unknown };

/** Whether somebody else acts as the user in this session. Without the columns, only the token says so. */
export const isImpersonation = (session: Impersonated): boolean =>
	isImpersonatedSession(session) || session.impersonatedBy != null || proofOf(session.token) === "impersonation";
