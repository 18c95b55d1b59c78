import type { AuthContext } from "@better-auth/core";
import { whenAssigned } from "../../engine/when-assigned.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import { skippingCache } from "../../scope/sessions/cache-version.ts";
import type { Policies } from "./policies.ts";
import type { PolicyRules } from "./rules.ts";
import { isEnded, isUseUnwritten } from "./session-rules.ts";

type InternalAdapter = AuthContext["internalAdapter"];
type Found = NonNullable<Awaited<ReturnType<InternalAdapter["findSession"]>>>;
type With = { pin: Pick<TenantContext, "current">; policies: Pick<Policies, "of"> };

/**
 * Ends sessions that the policy of their tenant no longer allows, wherever a session is read: from the database, the storage or
 * the cookie cache. So a stricter policy also holds for the sessions that exist.
 */
export const guardSessions = (context: AuthContext, { pin, policies }: With): void => {
	const rulesHere = (): Promise<PolicyRules | null> => policies.of(pin.current());

	whenAssigned(context, "internalAdapter", (engine) => {
		/** Returns the session if it still holds, with its use written down. */
		const admit = async (found: Found, rules: PolicyRules): Promise<Found | null> => {
			const { token } = found.session;
			if (isEnded(rules, found.session)) {
				await engine.deleteSession(token);
				return null;
			}
			if (!isUseUnwritten(rules, found.session)) return found;
			const updatedAt = new Date();
			// null if the session ended meanwhile
			return (
				(await engine.updateSession(token, { updatedAt })) && { ...found, session: { ...found.session, updatedAt } }
			);
		};
		return {
			...engine,
			findSession: async (token) => {
				const found = await engine.findSession(token);
				const rules = found && (await rulesHere());
				return rules ? admit(found, rules) : found;
			},
			findSessions: async (tokens, options) => {
				const found = await engine.findSessions(tokens, options);
				const rules = found.length > 0 ? await rulesHere() : null;
				return rules ? found.filter(({ session }) => !isEnded(rules, session)) : found;
			},
		};
	});
	whenAssigned(context, "options", (options) =>
		// also if the use of the session must be written down, or another sign-in may have ended it
		skippingCache(options, async (session) => {
			const rules = await rulesHere();
			return (
				rules !== null && (rules.maxSessions !== false || isEnded(rules, session) || isUseUnwritten(rules, session))
			);
		}),
	);
};
