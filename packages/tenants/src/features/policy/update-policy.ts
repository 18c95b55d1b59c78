import type { GenericEndpointContext } from "@better-auth/core";
import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { admissionOf } from "../invitations/admission.ts";
import type { Actor } from "../management/audit.ts";
import { guardManagement } from "../management/guard-management.ts";
import { ssoMethodsOf } from "../sso/list-sso-methods.ts";
import { bodyOf, refuseOtherFields } from "../tenants/tenant-input.ts";
import { POLICY_ERROR_CODES } from "./error-codes.ts";
import { allowsMethod, methodOfSession } from "./methods.ts";
import { policiesOf } from "./policies.ts";
import { allowsAddress } from "./request-address.ts";
import { type PolicyChanges, type PolicyRules, readChanges } from "./rules.ts";
import { policyOpenAPI, showPolicy } from "./tenant-policy.ts";
import { assertUsable } from "./usable-rules.ts";

const body = bodyOf({
	tenantId: z.string().meta({ description: "The tenant" }),
	policy: z
		// the handler reads the rules: a schema would tell callers who may not manage what they are
		.custom<PolicyChanges>((sent) => typeof sent === "object" && sent !== null && !Array.isArray(sent))
		.meta({ description: "The rules to change. Null removes the tenant's own value", type: "object" }),
	force: z
		.boolean()
		.meta({ description: "Sets the policy even if you could not sign in again. Default: false" })
		.optional(),
});

/** Changes rules of a tenant. Rules that are left out stay as they are, and `null` returns to the default. */
export const updatePolicy = (hasScore: boolean) =>
	createAuthEndpoint(
		"/tenant/policy/update",
		{
			method: "POST",
			body,
			use: [guardManagement({ action: "policy:update" })],
			metadata: {
				openapi: {
					operationId: "updateTenantPolicy",
					description: "Change the policy of a tenant",
					responses: {
						"200": { description: "The changed policy", content: { "application/json": { schema: policyOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			refuseOtherFields(ctx.body, body);
			const policies = policiesOf(ctx);
			const { tenantId, actor } = ctx.context;
			const changes = readChanges(ctx.body.policy);
			const changed = await policies.change(tenantId, changes, async (rules) => {
				assertUsable(rules, {
					options: ctx.context.options,
					hasScore,
					hasInvitations: admissionOf.find(ctx) !== undefined,
				});
				await assertTenantUsers(ctx, tenantId, changes.breakGlassUserIds ?? []);
				if (ctx.body.force !== true) await assertNoLockout(ctx, { tenantId, actor }, rules);
			});
			return ctx.json(showPolicy(tenantId, changed, policies));
		},
	);

/** Throws if the caller, or everyone, could not sign in to the tenant with these rules. */
const assertNoLockout = async (
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

/** Throws unless all ids are users of the tenant. Another tenant's user is the same as a missing one. */
const assertTenantUsers = async (
	{ context }: Pick<GenericEndpointContext, "context">,
	tenantId: string,
	userIds: readonly string[],
): Promise<void> => {
	for (const id of new Set(userIds)) {
		const user = await runInKnownTenant(tenantId, () => context.internalAdapter.findUserById(id));
		if (user) continue;
		const message = "breakGlassUserIds contains an id that is not a user of the tenant";
		throw APIError.from("BAD_REQUEST", { ...POLICY_ERROR_CODES.INVALID_POLICY, message });
	}
};
