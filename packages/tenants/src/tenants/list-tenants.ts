import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import type { Management } from "../management/management.ts";
import { cutPage, pageInput, readCursor } from "../paging.ts";
import { isTenantId } from "../resolve/tenant-id.ts";
import { servicesOf } from "../services.ts";
import { showTenant, tenantOpenAPI } from "./tenant.ts";

const PATH = "/tenant/list";
const DEFAULT_LIMIT = 100;
const { fields, parameters } = pageInput("Tenants", DEFAULT_LIMIT);
const query = z.object(fields).optional();

/**
 * Lists tenants, one page at a time. The body is an array. The header `Link: rel="next"` (RFC 8288) has the next page.
 */
export const listTenants = (management: Management) =>
	createAuthEndpoint(
		PATH,
		{
			method: "GET",
			query,
			use: [management.guard({ action: "tenant:list", target: "none" })],
			metadata: {
				openapi: {
					operationId: "listTenants",
					description: "List tenants",
					// the engine does not generate parameters from an optional query schema
					parameters,
					responses: {
						"200": {
							description: 'The tenants of one page. The header `Link: rel="next"` has the URL of the next page',
							content: { "application/json": { schema: { type: "array", items: tenantOpenAPI } } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const limit = ctx.query?.limit ?? DEFAULT_LIMIT;
			const after = readCursor(ctx.query?.cursor, isTenantId);
			// one extra row shows whether there is a next page
			const rows = await servicesOf(ctx).tenants.list(limit + 1, after);
			return ctx.json(cutPage(ctx, rows, { path: PATH, limit }).map(showTenant));
		},
	);
