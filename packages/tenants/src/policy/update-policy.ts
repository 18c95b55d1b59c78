import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { guardManagement } from "../management/guard-management.ts";
import { bodyOf, refuseOtherFields } from "../tenants/tenant-input.ts";
import { policiesOf } from "./policies.ts";
import { type PolicyChanges, readChanges } from "./rules.ts";
import { policyOpenAPI, showPolicy } from "./tenant-policy.ts";

const body = bodyOf({
	tenantId: z.string().meta({ description: "The tenant" }),
	policy: z
		// the handler reads the rules: a schema would tell callers who may not manage what they are
		.custom<PolicyChanges>((sent) => typeof sent === "object" && sent !== null && !Array.isArray(sent))
		.meta({ description: "The rules to change. Null removes the tenant's own value", type: "object" }),
});

/** Changes rules of a tenant. Rules that are left out stay as they are, and `null` returns to the default. */
export const updatePolicy = () =>
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
			const { tenantId } = ctx.context;
			return ctx.json(showPolicy(tenantId, await policies.change(tenantId, readChanges(ctx.body.policy)), policies));
		},
	);
