import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { sharedCountOf } from "../../load/limits/shared-count.ts";
import { apiKeyGuardOf } from "../../scope/data/api-key-guard.ts";
import { type GrantRule, grantGuardOf } from "../../scope/data/grant-guard.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { type PendingSessions, pendingSessionsOf } from "../../scope/sessions/pending-sessions.ts";
import { methodsFilterOf, type SignInMethods } from "../methods/offered-methods.ts";
import { admitSessions } from "./admit-sessions.ts";
import { createRequestGuard } from "./guard-requests.ts";
import { guardSessions } from "./guard-sessions.ts";
import type { SignInMethod } from "./methods.ts";
import type { ResolvedPolicyOptions } from "./options.ts";
import { createPasswordRules } from "./password-rules.ts";
import { createPolicies, type Policies } from "./policies.ts";
import type { PolicyRules } from "./rules.ts";
import { createApiKeyRule, endKeysBeforeFactor } from "./second-factor/api-key-rule.ts";
import { createSecondFactorRule } from "./second-factor/second-factor-rule.ts";
import { isEnded } from "./session-rules.ts";
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
				guard: createRequestGuard({ pin, policies, signUps, passwords, shared: sharedCountOf({ context }) }),
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

type With = { policies: Pick<Policies, "of">; pendingSessions: Pick<PendingSessions, "lacksFactor"> };

/**
 * Refuses what a user granted to an OAuth client in a session that the policy no longer allows. A code needs a session that could
 * still be used. A refresh token may outlast its session, unless its user needs a second factor: then only the session shows
 * that they verified it.
 */
const createGrantRule =
	({ policies, pendingSessions }: With): GrantRule =>
	async (tenantId, { isCode, user, session }) => {
		const rules = isCode ? await policies.of(tenantId) : null;
		const held = rules && (await session());
		if (rules && held && isEnded(rules, held)) return true;
		return pendingSessions.lacksFactor(tenantId, user, session);
	};

/** The sign-in methods that are left under a policy. */
const restrictMethods = (
	{ methods, signUp }: Pick<PolicyRules, "methods" | "signUp">,
	offered: SignInMethods,
): SignInMethods => {
	const allows = (method: SignInMethod): boolean => methods === "any" || methods.includes(method);
	const only = <Method extends { enabled: boolean }>(name: SignInMethod, method: Method): Method => {
		const enabled = method.enabled && allows(name);
		// users with an invitation have a page of their own
		const canSignUp = enabled && (signUp === "open" || signUp === "domain");
		return "signUp" in method
			? { ...method, enabled, signUp: method.signUp === true && canSignUp }
			: { ...method, enabled };
	};
	return {
		email: only("password", offered.email),
		providers: offered.providers.filter(({ id }) => allows(`social:${id}`)),
		sso: allows("sso") ? offered.sso : [],
		oneTap: only("oneTap", offered.oneTap),
		magicLink: only("magicLink", offered.magicLink),
		emailOtp: only("emailOtp", offered.emailOtp),
		phoneNumber: only("phoneNumber", offered.phoneNumber),
		username: only("username", offered.username),
		passkey: only("passkey", offered.passkey),
		anonymous: only("anonymous", offered.anonymous),
		siwe: only("siwe", offered.siwe),
	};
};
