import type { AuthContext, BetterAuthPlugin } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { createHook } from "../../engine/hook.ts";
import { hasServices } from "../../engine/service.ts";
import { SECOND_FACTOR_ERROR_CODES } from "../../errors/second-factor-error-codes.ts";
import { asCompanion } from "../../scope/compose/companion.ts";
import { guardStoredRights } from "../rights/stored-sessions.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { getPolicy } from "./get-policy.ts";
import { resolvePolicyOptions, type TenantPolicyOptions } from "./options.ts";
import { guardOf } from "./policies.ts";
import { policySchema } from "./schema.ts";
import { challengeSecondFactor } from "./second-factor/challenge-second-factor.ts";
import { getSecondFactor } from "./second-factor/get-second-factor.ts";
import { startPolicy } from "./start-policy.ts";
import { updatePolicy } from "./update-policy.ts";

/**
 * Gives each tenant its own sign-in policy. The application sets the defaults, and operators override them per tenant. Costs
 * one query per tenant, process and `tenantCache.maxAge`.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: withTenants({}, [tenantPolicy({ defaults: { minPasswordLength: 12 } })]) });
 * ```
 */
export const tenantPolicy = (given: TenantPolicyOptions = {}) => {
	const options = resolvePolicyOptions(given);
	const plugin = {
		id: "tenant-policy",
		schema: policySchema,
		init: async (context: AuthContext) => {
			if (!hasServices(context))
				throw new BetterAuthError(
					"tenantPolicy: tenantAuth() must come before tenantPolicy(). Use plugins: withTenants(options, [tenantPolicy()]).",
				);
			return startPolicy(context, options);
		},
		hooks: { before: [{ matcher: () => true, handler: createHook(async (ctx) => guardOf(ctx)(ctx)) }] },
		endpoints: {
			getTenantPolicy: getPolicy(),
			updateTenantPolicy: updatePolicy(options.passwordScore !== undefined),
			getTenantSecondFactor: getSecondFactor(),
			challengeTenantSecondFactor: challengeSecondFactor(),
		},
		$ERROR_CODES: { ...POLICY_ERROR_CODES, ...SECOND_FACTOR_ERROR_CODES },
		options: given,
	} satisfies BetterAuthPlugin;
	// rules judge the stored user, not the copy that a session in a secondary storage has
	return asCompanion(plugin, { guardStorage: guardStoredRights });
};
