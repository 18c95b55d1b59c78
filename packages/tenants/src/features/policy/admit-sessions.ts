import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import type { Session } from "@better-auth/core/db";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { endpointOf } from "../../endpoints/endpoints.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import { isImpersonatedSession } from "../../scope/sessions/impersonated-session.ts";
import type { PendingSessions } from "../../scope/sessions/pending-sessions.ts";
import { methodOfChallenge } from "../second-factor/challenge-method.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { allowsMethod, methodOf, methodOfSession } from "./methods.ts";
import type { Policies } from "./policies.ts";
import { allowsAddress } from "./request-address.ts";
import type { PolicyRules } from "./rules.ts";
import { endOf } from "./session-rules.ts";

type With = {
	pin: Pick<TenantContext, "current">;
	policies: Pick<Policies, "of">;
	pendingSessions: Pick<PendingSessions, "completeOnly">;
};
type Calling = GenericEndpointContext | null;

/**
 * Database hooks that apply the policy where sessions are created. Every way to a session passes them, also those of plugins
 * that are added later.
 */
export const admitSessions = (context: AuthContext, { pin, policies, pendingSessions }: With) => ({
	before: async (session: Session & Record<string, unknown>, ctx: Calling) => {
		const rules = await policies.of(pin.current());
		if (!rules || isImpersonatedSession(session)) return;
		const signInMethod = methodOfSession({ signInMethod: await methodOfChallenge(ctx) }) ?? methodOf(ctx);
		if (!allowsMethod(rules, signInMethod, session.userId)) throw methodRefusal(rules, ctx);
		// without headers nobody knows where the user is
		if (!allowsAddress(rules, ctx, context.options))
			throw APIError.from("FORBIDDEN", POLICY_ERROR_CODES.IP_ADDRESS_NOT_ALLOWED);
		return { data: { signInMethod, expiresAt: endOf(rules, session.expiresAt) } };
	},
	/** Runs after the commit, so of parallel sign-ins the last one sees all sessions. */
	after: async (session: Session & Record<string, unknown>) => {
		const rules = await policies.of(pin.current());
		if (!rules?.maxSessions || !countsAsSession(session)) return;
		const { internalAdapter } = context;
		const sessions = await internalAdapter.listSessions(session.userId, { onlyActiveSessions: true });
		// a first factor alone must not end the sessions of a user
		const complete = await pendingSessions.completeOnly(session.userId, sessions.filter(countsAsSession));
		if (!complete.some(({ token }) => token === session.token)) return;
		const newestFirst = complete.sort((one, other) => ageOf(one) - ageOf(other));
		for (const { token } of newestFirst.slice(rules.maxSessions)) await internalAdapter.deleteSession(token);
	},
});

/** An operator or an admin who impersonates a user does not sign the user out. */
const countsAsSession = (session: object): boolean =>
	!isImpersonatedSession(session) && !("impersonatedBy" in session && session.impersonatedBy != null);

const ageOf = ({ createdAt }: Session): number => -new Date(createdAt).getTime();

/**
 * If some users may sign in with a password, the password is checked before the user is known to be none of them. Then the
 * response is the same as for a wrong password, or it would say which passwords are right.
 */
export const methodRefusal = ({ breakGlassUserIds }: PolicyRules, ctx: Calling): APIError =>
	breakGlassUserIds.length > 0 && endpointOf(ctx?.path).hashesPassword
		? APIError.from("UNAUTHORIZED", BASE_ERROR_CODES.INVALID_EMAIL_OR_PASSWORD)
		: APIError.from("FORBIDDEN", POLICY_ERROR_CODES.SIGN_IN_METHOD_NOT_ALLOWED);
