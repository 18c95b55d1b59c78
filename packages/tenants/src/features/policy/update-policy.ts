import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { admissionOf } from "../invitations/admission.ts";
import { guardManagement } from "../management/guard-management.ts";
import { bodyOf, refuseOtherFields } from "../tenants/tenant-input.ts";
import { assertNoLockout } from "./assert-no-lockout.ts";
import { assertTenantUsers } from "./assert-tenant-users.ts";
import { policiesOf } from "./policies.ts";
import { type PolicyChanges, readChanges } from "./rules.ts";
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
		"/tenant/policy",
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
