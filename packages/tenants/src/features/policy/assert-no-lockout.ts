import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import type { Actor } from "../management/audit.ts";
import { ssoMethodsOf } from "../sso/list-sso-methods.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { allowsMethod, methodOfSession } from "./methods.ts";
import { allowsAddress } from "./request-address.ts";
import type { PolicyRules } from "./rules.ts";

/** Throws if the caller, or everyone, could not sign in to the tenant with these rules. */
export const assertNoLockout = async (
	ctx: GenericEndpointContext,
	{ tenantId, actor }: { tenantId: string; actor: Actor },
	rules: PolicyRules,
): Promise<void> => {
	if (actor.kind === "session" && actor.tenantId === tenantId) {
		const method = methodOfSession(ctx.context.session?.session);
		if (!allowsMethod(rules, method, actor.userId) || !allowsAddress(rules, ctx, ctx.context.options))
			throw APIError.from("CONFLICT", POLICY_ERROR_CODES.POLICY_LOCKS_YOU_OUT);
	}
	const { methods, breakGlassUserIds } = rules;
	const isSsoOnly = methods !== "any" && methods.every((method) => method === "sso");
	if (isSsoOnly && breakGlassUserIds.length === 0 && (await ssoMethodsOf(ctx)(tenantId)).length === 0)
		throw APIError.from("CONFLICT", POLICY_ERROR_CODES.POLICY_LOCKS_EVERYONE_OUT);
};
