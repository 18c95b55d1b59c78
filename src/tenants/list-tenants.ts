import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { Management } from "../management/management.ts";
import { partsOf } from "../parts.ts";
import { isTenantId } from "../resolve/tenant-id.ts";
import { showTenant, tenantOpenAPI } from "./tenant.ts";

const query = z
	.object({
		limit: z.coerce
			.number()
			.int()
			.min(1)
			.max(1000)
			.optional()
			.meta({ description: "Tenants on a page, 100 by default, at most 1000" }),
		cursor: z
			.string()
			.optional()
			.meta({ description: "Where to go on: taken from the Link header of the page before" }),
	})
	.optional();

/** Lists tenants by pages. The body is a plain array; the next page stands in `Link: rel="next"` (RFC 8288). */
export const listTenants = (management: Management) =>
	createAuthEndpoint(
		"/tenant/list",
		{
			method: "GET",
			query,
			use: [management.of("tenant:list", "none")],
			metadata: {
				openapi: {
					operationId: "listTenants",
					description: "List tenants",
					// the engine describes queries that may be left out altogether only when told
					parameters: [
						{
							name: "limit",
							in: "query",
							schema: { type: "integer" },
							description: "Tenants on a page, 100 by default, at most 1000",
						},
						{
							name: "cursor",
							in: "query",
							schema: { type: "string" },
							description: "Where to go on: taken from the Link header of the page before",
						},
					],
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
			const limit = ctx.query?.limit ?? 100;
			const after = ctx.query?.cursor === undefined ? null : readCursor(ctx.query.cursor);
			// one more than asked for says whether there is a next page
			const rows = await partsOf(ctx).tenants.list(limit + 1, after);
			const page = rows.slice(0, limit);
			const last = page.at(-1);
			if (rows.length > limit && last) {
				const next = new URL(`${ctx.context.baseURL}/tenant/list`);
				next.searchParams.set("limit", String(limit));
				next.searchParams.set("cursor", btoa(last.id));
				ctx.setHeader("link", `<${next}>; rel="next"`);
				ctx.setHeader("access-control-expose-headers", "link");
			}
			return ctx.json(page.map(showTenant));
		},
	);

const readCursor = (cursor: string): string => {
	try {
		const id = atob(cursor);
		if (isTenantId(id)) return id;
	} catch {
		// not base64: refused below
	}
	throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_CURSOR);
};
