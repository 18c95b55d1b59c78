import { BetterAuthError } from "@better-auth/core/error";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { type PolicyRules, readChanges } from "./rules.ts";

/**
 * Options of `tenantPolicy()`. All are optional.
 *
 * @example
 * ```ts
 * tenantPolicy({ defaults: { minPasswordLength: 12, sessionMaxAge: 30 * 86_400 } });
 * ```
 */
export type TenantPolicyOptions = {
	/**
	 * The rules of every tenant that does not set its own. The platform has no policy: Better Auth's own options apply there.
	 * @default {}
	 */
	defaults?: Partial<PolicyRules>;
};

/** Sets the defaults. Throws on invalid rules, with the option and the fix. */
export const resolvePolicyOptions = ({ defaults = {} }: TenantPolicyOptions) => {
	try {
		return { defaults: readChanges(defaults) };
	} catch (error) {
		const reason = error instanceof Error ? error.message : POLICY_ERROR_CODES.INVALID_POLICY.message;
		throw new BetterAuthError(`tenantPolicy: \`defaults\` is not valid. ${reason}.`);
	}
};
