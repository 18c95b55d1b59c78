import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import type { Management } from "../management/management.ts";
import { cutPage, pageInput, readCursor } from "../paging.ts";
import { isTenantId } from "../resolve/tenant-id.ts";
import { servicesOf } from "../services.ts";
import { showTenant, tenantOpenAPI } from "./tenant.ts";

const PATH = "/tenant/list";
const USUAL = 100;
const { fields, parameters } = pageInput("Tenants", USUAL);
const query = z.object(fields).optional();

/** Lists tenants by pages. The body is a plain array; the next page stands in `Link: rel="next"` (RFC 8288). */
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
					// the engine describes queries that may be left out altogether only when told
					parameters,
					responses: {
						"200": {
							description: 'The tenants of one page; the next page stands in `Link: rel="next"`',
							content: { "application/json": { schema: { type: "array", items: tenantOpenAPI } } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const limit = ctx.query?.limit ?? USUAL;
			const after = readCursor(ctx.query?.cursor, isTenantId);
			// one more than asked for says whether there is a next page
			const rows = await servicesOf(ctx).tenants.list(limit + 1, after);
			return ctx.json(cutPage(ctx, rows, { path: PATH, limit }).map(showTenant));
		},
	);
