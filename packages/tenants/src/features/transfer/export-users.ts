import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { cutPage, pageInput, readCursor } from "../../scope/data/paging.ts";
import type { Management } from "../management/management.ts";
import { requireKeptTenant } from "../management/open-tenant.ts";
import { userExportOf } from "./user-export.ts";
import { userOpenAPI } from "./user-openapi.ts";

const PATH = "/tenant/export-users";
const DEFAULT_LIMIT = 500;
const { fields, parameters } = pageInput("Users", DEFAULT_LIMIT);
const query = z.object({ tenantId: z.string().meta({ description: "The tenant whose users to export" }), ...fields });

/**
 * Exports a tenant's users with their password hashes, one page at a time. The body is an array. The header
 * `Link: rel="next"` (RFC 8288) has the next page.
 */
export const exportUsers = (management: Management) =>
	createAuthEndpoint(
		PATH,
		{
			method: "GET",
			query,
			use: [management.guard({ action: "user:export", target: "query", requires: "transfer" })],
			metadata: {
				openapi: {
					operationId: "exportTenantUsers",
					description: "Export a tenant's users with their accounts and password hashes. Requires a management key",
					parameters: [
						{
							name: "tenantId",
							in: "query",
							required: true,
							schema: { type: "string" },
							description: "The tenant whose users to export",
						},
						...parameters,
					],
					responses: {
						"200": {
							description: 'The users of one page. The header `Link: rel="next"` has the URL of the next page',
							content: { "application/json": { schema: { type: "array", items: userOpenAPI } } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = await requireKeptTenant(ctx, ctx.context.targetId);
			const { limit = DEFAULT_LIMIT, cursor } = ctx.query;
			// one extra row shows whether there is a next page
			const users = await userExportOf(ctx)(tenantId, limit + 1, readCursor(cursor, userIdOf));
			return ctx.json(cutPage(ctx, users, { path: PATH, limit, query: { tenantId } }));
		},
	);

/** Lenient, because an application may generate its own ids. */
const userIdOf = (id: string): string | null => (id.length > 0 && id.length <= 255 && !id.includes("\0") ? id : null);
