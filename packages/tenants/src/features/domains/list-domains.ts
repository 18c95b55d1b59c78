import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { domainOpenAPI, showDomain } from "../../scope/tenants/tenant-domain.ts";
import { type Management, requireTarget } from "../management/management.ts";
import { domainsOf } from "./managed-domains.ts";

const query = z.object({ tenantId: z.string().meta({ description: "The tenant" }) });

/** Lists the domains of a tenant, in alphabetical order. */
export const listDomains = (management: Management) =>
	createAuthEndpoint(
		"/tenant/domain/list",
		{
			method: "GET",
			query,
			use: [management.guard({ action: "tenant-domain:list", target: "query" })],
			metadata: {
				openapi: {
					operationId: "listTenantDomains",
					description: "List the domains of a tenant",
					responses: {
						"200": {
							description: "The domains",
							content: { "application/json": { schema: { type: "array", items: domainOpenAPI } } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = requireTarget(ctx.context.targetId);
			return ctx.json((await domainsOf(ctx).list(tenantId)).map(showDomain));
		},
	);
