import type { User } from "@better-auth/core/db";
import type { Judge, SessionRule } from "../../../scope/sessions/pending-sessions.ts";
import type { Policies } from "../policies.ts";
import type { PolicyRules } from "../rules.ts";

type SecondFactorOptions = { adminRoles: readonly string[]; pendingMaxAge: number };

/** Which sessions lack a second factor, by the policy of their tenant. */
export const createSecondFactorRule = (
	policies: Pick<Policies, "of">,
	{ adminRoles, pendingMaxAge }: SecondFactorOptions,
): SessionRule => ({
	maxAge: pendingMaxAge,
	ruleFor: async (tenantId) => {
		const rules = await policies.of(tenantId);
		if (!rules || rules.secondFactor === "optional") return null;
		return { judge: createJudge(rules, adminRoles), trustsDevices: rules.trustDevices };
	},
});

const createJudge =
	(rules: PolicyRules, adminRoles: readonly string[]): Judge =>
	({ user, proof }) => {
		if (proof === "impersonation") return null;
		if (proof === "sso" && rules.trustSso) return null;
		if (proof === "passkey" && rules.trustPasskeys) return null;
		if (rules.secondFactor === "required-for-admins" && !hasRole(user, adminRoles)) return null;
		// a session keeps its mark when an administrator resets the user's second factor
		if (user.twoFactorEnabled) return proof === "second-factor" ? null : "verify";
		return Date.now() < enrollBy(user, rules) ? null : "enroll";
	};

/** The admin plugin keeps the roles of a user in one text. */
const hasRole = ({ role }: Record<string, unknown>, roles: readonly string[]): boolean =>
	typeof role === "string" && role.split(",").some((one) => roles.includes(one.trim()));

/** The time until which a user may sign in without a second factor. */
const enrollBy = ({ createdAt }: User, { secondFactorFrom, secondFactorGrace }: PolicyRules): number => {
	const from = secondFactorFrom === false ? 0 : Date.parse(secondFactorFrom);
	const grace = secondFactorGrace === false ? 0 : new Date(createdAt).getTime() + secondFactorGrace * 1000;
	// a time that is not one ends no comparison: it grants nothing
	return Math.max(Number.isFinite(from) ? from : 0, Number.isFinite(grace) ? grace : 0);
};
