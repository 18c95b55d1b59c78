import type { AuthContext } from "@better-auth/core";
import { isBanned } from "../../engine/banned-user.ts";
import { whenAssigned } from "../../engine/when-assigned.ts";
import { apiKeyGuardOf } from "../../scope/data/api-key-guard.ts";
import { grantGuardOf } from "../../scope/data/grant-guard.ts";
import { admitsApiKey } from "./api-keys.ts";
import { guardCachedSessions } from "./cached-sessions.ts";
import { bindChallenges } from "./challenges.ts";
import { dateCodes } from "./earlier-codes.ts";
import { epochOf } from "./epoch.ts";
import { endRightsWithSessions, refuseEndedSessions, stampSession } from "./sessions.ts";

/** Starts what ends rights at once, and returns the hooks of sessions. Throws without `tenantAuth()`, which has to start before. */
export const startRights = (context: AuthContext) => {
	const grants = grantGuardOf({ context });
	const apiKeys = apiKeyGuardOf({ context });
	endRightsWithSessions(context);
	dateCodes(context);
	bindChallenges(context);
	guardCachedSessions(context);
	endSessionsOnReset(context);
	apiKeys.use(async (tenantId, found) => !(await admitsApiKey(tenantId, found)));
	grants.use(async (_, { isCode, user, session }) => {
		const { banned, banExpires } = user;
		if (isBanned({ banned, banExpires })) return true;
		const held = isCode ? await session() : null;
		return held !== null && epochOf({ ...held }) !== epochOf(user);
	});
	return {
		databaseHooks: { session: { create: { before: stampSession(context), after: refuseEndedSessions(context) } } },
	};
};

/** A new password from a link or a code ends all sessions, whatever `revokeSessionsOnPasswordReset` is. */
const endSessionsOnReset = (context: AuthContext): void =>
	whenAssigned(context, "options", (options) => {
		const { emailAndPassword } = options;
		if (!emailAndPassword) return options;
		return { ...options, emailAndPassword: { ...emailAndPassword, revokeSessionsOnPasswordReset: true } };
	});
