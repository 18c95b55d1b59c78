import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { Management } from "../management/management.ts";
import { servicesOf } from "../services.ts";
import { showTenant, tenantOpenAPI } from "./tenant.ts";
import { SLUG } from "./tenant-input.ts";

const query = z.object({
	id: z.string().optional().meta({ description: "The tenant's id; give this or slug" }),
	slug: z.string().optional().meta({ description: "The tenant's slug; give this or id" }),
});

/** Shows one tenant, named by exactly one of id and slug. */
export const getTenant = (management: Management) =>
	createAuthEndpoint(
		"/tenant/get",
		{
			method: "GET",
			query,
			use: [management.guard({ action: "tenant:get", target: "query-id" })],
			metadata: {
				openapi: {
					operationId: "getTenant",
					description: "Get a tenant by id or slug",
					responses: {
						"200": { description: "The tenant", content: { "application/json": { schema: tenantOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const { id, slug } = ctx.query;
			if ((id === undefined) === (slug === undefined)) {
				throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.TENANT_ID_OR_SLUG_REQUIRED);
			}
			// the id is the one the guard saw; what is no id or no slug names nothing
			const named =
				slug === undefined ? ctx.context.targetId && { id: ctx.context.targetId } : SLUG.test(slug) && { slug };
			const tenant = named ? await servicesOf(ctx).tenants.findOpen(named) : null;
			if (!tenant) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			return ctx.json(showTenant(tenant));
		},
	);
