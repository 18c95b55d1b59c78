import { isImpersonatedSession } from "../../scope/sessions/impersonated-session.ts";
import { allowsMethod, methodOfSession } from "./methods.ts";
import type { PolicyRules } from "./rules.ts";

/** A session as the engine reads it from the database, the storage or a cookie. */
export type ReadSession = {
	token: string;
	userId: string;
	createdAt: Date | string;
	updatedAt: Date | string;
};

/** The part of the idle time after which a use of the session is written down. */
const TENTH = 10;

/**
 * Whether the rules have ended a session. Not sessions of operators (`/tenant/impersonate`), which are short and belong to the
 * platform's authority.
 */
export const isEnded = (rules: PolicyRules, session: ReadSession, now = Date.now()): boolean => {
	if (isImpersonatedSession(session)) return false;
	const { sessionMaxAge, sessionIdleTime } = rules;
	// written so that a time that cannot be read ends the session
	if (sessionMaxAge && !(timeOf(session.createdAt) + sessionMaxAge * 1000 > now)) return true;
	if (sessionIdleTime && !(timeOf(session.updatedAt) + sessionIdleTime * 1000 > now)) return true;
	return !allowsMethod(rules, methodOfSession(session), session.userId);
};

/** Whether the use of a session must be written down, so that it does not count as idle. */
export const isUseUnwritten = ({ sessionIdleTime }: PolicyRules, session: ReadSession, now = Date.now()): boolean =>
	sessionIdleTime !== false &&
	!isImpersonatedSession(session) &&
	timeOf(session.updatedAt) + (sessionIdleTime * 1000) / TENTH <= now;

/** When a new session ends at the latest. */
export const endOf = ({ sessionMaxAge }: PolicyRules, expiresAt: Date, now = Date.now()): Date =>
	sessionMaxAge ? new Date(Math.min(expiresAt.getTime(), now + sessionMaxAge * 1000)) : expiresAt;

const timeOf = (date: Date | string): number => new Date(date).getTime();
