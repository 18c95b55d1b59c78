import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { successOpenAPI } from "../../lib/success-response.ts";
import { type Management, requireTarget } from "../management/management.ts";
import { whileAllowed } from "../management/while-allowed.ts";
import { domainsOf } from "./managed-domains.ts";

const body = z.object({
	tenantId: z.string().meta({ description: "The tenant that has the domain" }),
	domain: z.string().min(1).max(300).meta({ description: "The domain to remove" }),
});

/** Removes a domain from a tenant. Its host is rejected from then on, in other processes after `tenantCache.maxAge`. */
export const removeDomain = (management: Management) =>
	createAuthEndpoint(
		"/tenant/domain/remove",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "tenant-domain:remove", target: "body" })],
			metadata: {
				openapi: {
					operationId: "removeTenantDomain",
					description: "Remove a domain from a tenant",
					responses: successOpenAPI("Removed"),
				},
			},
		},
		async (ctx) => {
			const tenantId = requireTarget(ctx.context.targetId);
			await whileAllowed(ctx, () => domainsOf(ctx).remove(tenantId, ctx.body.domain));
			return ctx.json({ success: true });
		},
	);
