import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { domainOpenAPI, showDomain } from "../../scope/tenants/tenant-domain.ts";
import { type Management, requireTarget } from "../management/management.ts";
import { domainsOf } from "./managed-domains.ts";

const body = z.object({
	tenantId: z.string().meta({ description: "The tenant that gets the domain" }),
	domain: z.string().min(1).max(300).meta({ description: "Host name, for example login.acme.com" }),
});

/**
 * Adds a domain to a tenant, for `fromCustomDomain()`. Only operators may: check first that the tenant owns the domain. A
 * tenant that already has the domain keeps it.
 */
export const addDomain = (management: Management) =>
	createAuthEndpoint(
		"/tenant/domain/add",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "tenant-domain:add", target: "body", operatorsOnly: true })],
			metadata: {
				openapi: {
					operationId: "addTenantDomain",
					description: "Add a domain to a tenant",
					responses: {
						"200": { description: "The domain", content: { "application/json": { schema: domainOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = requireTarget(ctx.context.targetId);
			return ctx.json(showDomain(await domainsOf(ctx).add(tenantId, ctx.body.domain)));
		},
	);
