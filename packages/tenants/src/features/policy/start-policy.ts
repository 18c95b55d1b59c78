import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { apiKeyGuardOf } from "../../scope/data/api-key-guard.ts";
import { grantGuardOf } from "../../scope/data/grant-guard.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { pendingSessionsOf } from "../../scope/sessions/pending-sessions.ts";
import { methodsFilterOf } from "../methods/offered-methods.ts";
import { admitSessions } from "./admit-sessions.ts";
import { createGrantRule } from "./grant-rule.ts";
import { createRequestGuard } from "./guard-requests.ts";
import { guardSessions } from "./guard-sessions.ts";
import { restrictMethods } from "./offered-methods.ts";
import type { ResolvedPolicyOptions } from "./options.ts";
import { createPasswordRules } from "./password-rules.ts";
import { createPolicies } from "./policies.ts";
import { createApiKeyRule, endKeysBeforeFactor } from "./second-factor/api-key-rule.ts";
import { createSecondFactorRule } from "./second-factor/second-factor-rule.ts";
import { createSignUpRules } from "./sign-up-rules.ts";
import { findUnusable } from "./usable-rules.ts";

/** Starts what enforces the policies, on the services of `tenantAuth()`. */
export const startPolicy = async (context: AuthContext, options: ResolvedPolicyOptions) => {
	const pin = pinOf({ context });
	const pendingSessions = pendingSessionsOf({ context });
	const policies = await createPolicies(context, options.defaults);
	const unusable = findUnusable(policies.effective({}), {
		options: context.options,
		hasScore: options.passwordScore !== undefined,
		// a later plugin may add them; without them, nobody can sign up
		hasInvitations: true,
	});
	if (unusable) throw new BetterAuthError(`tenantPolicy: \`defaults\` cannot be enforced. ${unusable}.`);

	const signUps = createSignUpRules({ pin, policies, options: context.options });
	const passwords = createPasswordRules({ pin, policies, options, logger: context.logger });
	const endKeys = endKeysBeforeFactor(context, { policies, pin });
	guardSessions(context, { pin, policies });
	const secondFactor = createSecondFactorRule(policies, options.secondFactor);
	pendingSessions.use(secondFactor);
	apiKeyGuardOf({ context }).use(createApiKeyRule(context, { policies, secondFactor }));
	grantGuardOf({ context }).use(createGrantRule({ policies, pendingSessions }));
	methodsFilterOf.provide({ context }, async (tenantId, methods) => {
		const rules = tenantId === null ? policies.effective({}) : await policies.of(tenantId);
		return rules ? restrictMethods(rules, methods) : methods;
	});
	return {
		context: {
			password: passwords.watchHashes(context.password),
			tenantPolicy: {
				policies,
				guard: createRequestGuard({ pin, policies, signUps, passwords, storage: context.secondaryStorage }),
			},
		},
		options: {
			databaseHooks: {
				user: {
					...signUps.hooks,
					update: {
						before: async (changes: Record<string, unknown>, ctx: GenericEndpointContext | null) => {
							await signUps.hooks.update.before(changes, ctx);
							return endKeys(changes);
						},
					},
				},
				account: passwords.hooks,
				session: { create: admitSessions(context, { pin, policies, pendingSessions }) },
			},
		},
	};
};
