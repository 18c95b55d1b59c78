import type { AuthContext } from "@better-auth/core";
import { isChallengeId } from "../engine/two-factor-plugin.ts";
import { whenAssigned } from "../engine/when-assigned.ts";
import { beginAt, rightsNow } from "./request-rights.ts";

/**
 * Ties a challenge for a second factor to the rights of its user. It says that a password was accepted, so it counts from the
 * request that accepted it, and the request that completes it counts from then, too. If the rights ended in between, for example
 * with a new password, the request is late. Compares the clocks of servers. Costs no query.
 */
export const dateChallenges = (context: AuthContext): void =>
	whenAssigned(context, "internalAdapter", (engine) => ({
		...engine,
		createVerificationValue: async (data, ...rest) => {
			const rights = isChallengeId(data.identifier) ? await rightsNow() : undefined;
			return engine.createVerificationValue(rights ? { ...data, createdAt: new Date(rights.began) } : data, ...rest);
		},
		findVerificationValue: async (identifier, ...rest) => {
			const found = await engine.findVerificationValue(identifier, ...rest);
			if (found && isChallengeId(identifier)) beginAt(await rightsNow(), new Date(found.createdAt).getTime());
			return found;
		},
	}));
