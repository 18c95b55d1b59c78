import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import type { Management } from "../management/management.ts";
import { cutPage, pageInput, readCursor } from "../paging.ts";
import { servicesOf } from "../services.ts";
import { requireOpenTenant } from "./open-tenant.ts";
import { userOpenAPI } from "./user-openapi.ts";

const PATH = "/tenant/export-users";
const USUAL = 500;
const { fields, parameters } = pageInput("Users", USUAL);
const query = z.object({ tenantId: z.string().meta({ description: "The tenant whose users to export" }), ...fields });

/**
 * Writes out one tenant's users with their password hashes, by pages. The body is a plain array; the next page stands in
 * `Link: rel="next"` (RFC 8288).
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
					description: "Export a tenant's users with their accounts and password hashes; by management key alone",
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
							description: 'The users of one page; the next page stands in `Link: rel="next"`',
							content: { "application/json": { schema: { type: "array", items: userOpenAPI } } },
						},
					},
				},
			},
		},
		async (ctx) => {
			const tenantId = await requireOpenTenant(ctx, ctx.context.targetId);
			const { limit = USUAL, cursor } = ctx.query;
			// one more than asked for says whether there is a next page
			const users = await servicesOf(ctx).exportUsers(tenantId, limit + 1, readCursor(cursor, isUserId));
			return ctx.json(cutPage(ctx, users, { path: PATH, limit, query: { tenantId } }));
		},
	);

/** Whatever an application's own generator makes. */
const isUserId = (id: string): boolean => id.length > 0 && id.length <= 255 && !id.includes("\0");
