import type { GrantRule } from "../../scope/data/grant-guard.ts";
import type { PendingSessions } from "../../scope/sessions/pending-sessions.ts";
import type { Policies } from "./policies.ts";
import { isEnded } from "./session-rules.ts";

type With = { policies: Pick<Policies, "of">; pendingSessions: Pick<PendingSessions, "lacksFactor"> };

/**
 * Refuses what a user granted to an OAuth client in a session that the policy no longer allows. A code needs a session that could
 * still be used. A refresh token may outlast its session, unless its user needs a second factor: then only the session shows
 * that they verified it.
 */
export const createGrantRule =
	({ policies, pendingSessions }: With): GrantRule =>
	async (tenantId, { isCode, user, session }) => {
		const rules = isCode ? await policies.of(tenantId) : null;
		const held = rules && (await session());
		if (rules && held && isEnded(rules, held)) return true;
		return pendingSessions.lacksFactor(tenantId, user, session);
	};
