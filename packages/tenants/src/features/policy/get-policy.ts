import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { guardManagement } from "../management/guard-management.ts";
import { policiesOf } from "./policies.ts";
import { policyOpenAPI, showPolicy } from "./tenant-policy.ts";

const query = z.object({ tenantId: z.string().meta({ description: "The tenant" }) });

/** Returns the policy of a tenant: its own rules, and those that hold. */
export const getPolicy = () =>
	createAuthEndpoint(
		"/tenant/policy/get",
		{
			method: "GET",
			query,
			use: [guardManagement({ action: "policy:get", target: "query" })],
			metadata: {
				openapi: {
					operationId: "getTenantPolicy",
					description: "Get the policy of a tenant",
					responses: {
						"200": { description: "The policy", content: { "application/json": { schema: policyOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const policies = policiesOf(ctx);
			const { tenantId } = ctx.context;
			return ctx.json(showPolicy(tenantId, await policies.read(tenantId), policies));
		},
	);
