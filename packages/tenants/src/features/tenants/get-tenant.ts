import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { SLUG } from "../../resolve/slug.ts";
import { showTenant, tenantOpenAPI, withoutNotes } from "../../scope/tenants/tenant.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import type { Management } from "../management/management.ts";

const query = z.object({
	id: z.string().meta({ description: "Tenant id. Set one of id, tenantId and slug" }).optional(),
	tenantId: z.string().meta({ description: "The same as id, as other endpoints name it" }).optional(),
	slug: z.string().meta({ description: "Tenant slug. Set one of id, tenantId and slug" }).optional(),
});

/** Returns one tenant by id, also as `tenantId`, or by slug. Requires exactly one of them. */
export const getTenant = (management: Management) =>
	createAuthEndpoint(
		"/tenant/get",
		{
			method: "GET",
			query,
			use: [management.guard({ action: "tenant:get", target: "query-id", recordedByHandler: true })],
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
			const { id, tenantId, slug } = ctx.query;
			const { targetId, isTenantAdmin, record } = ctx.context;
			if ([id, tenantId, slug].filter((name) => name !== undefined).length !== 1) {
				await record({ outcome: "allowed" });
				throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.TENANT_ID_OR_SLUG_REQUIRED);
			}
			// uses the id that the guard checked; an invalid id or slug matches no tenant
			const named = slug === undefined ? targetId && { id: targetId } : SLUG.test(slug) && { slug };
			const tenants = tenantStoreOf(ctx);
			const tenant = named ? await tenants.findKept(named) : null;
			await record({ outcome: "allowed", ...(tenant ? { tenantId: tenant.id } : {}) });
			if (!tenant) throw await tenants.notFound(named || null);
			return ctx.json(isTenantAdmin ? withoutNotes(showTenant(tenant)) : showTenant(tenant));
		},
	);
