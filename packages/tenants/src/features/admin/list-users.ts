import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { linkNextPage, pageInput, readCursor } from "../../scope/data/paging.ts";
import { findPrefixPage, parsePrefixPageEnd, prefixInput } from "../../scope/data/prefix-pages.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { requireKeptTenant } from "../management/open-tenant.ts";
import { showUser, type UserRow, userOpenAPI } from "../users/user.ts";
import { callerRole, recording } from "./act-on-user.ts";
import { guardUsers } from "./guard.ts";

const PATH = "/tenant/user/list";
const DEFAULT_LIMIT = 50;
const { fields, parameters } = pageInput("Users", DEFAULT_LIMIT);
const query = z.object({
	tenantId: z.string().meta({ description: "The tenant whose users to list" }),
	email: prefixInput.meta({ description: "The beginning of the email. Do not send both email and name" }).optional(),
	name: prefixInput.meta({ description: "The beginning of the name. Do not send both email and name" }).optional(),
	...fields,
});

const parameter = (name: string, description: string, required = false) => ({
	name,
	in: "query" as const,
	required,
	schema: { type: "string" as const },
	description,
});

/**
 * Lists a tenant's users, ordered by email, or by name if `name` is sent. The header `Link: rel="next"` (RFC 8288) has the next
 * page.
 */
export const listTenantUsers = () =>
	createAuthEndpoint(
		PATH,
		{
			method: "GET",
			query: query.refine(({ email, name }) => email === undefined || name === undefined, {
				message: "Send email or name, not both",
			}),
			use: [guardUsers("user:list", "query")],
			metadata: {
				openapi: {
					operationId: "listTenantUsers",
					description: "List or search a tenant's users",
					parameters: [
						parameter("tenantId", "The tenant whose users to list", true),
						parameter("email", "The beginning of the email"),
						parameter("name", "The beginning of the name"),
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
			const { limit = DEFAULT_LIMIT, cursor, email, name } = ctx.query;
			return runInKnownTenant(tenantId, async () => {
				await recording(ctx, undefined, () => callerRole(ctx, tenantId));
				const { rows, end } = await findPrefixPage<"email" | "name", UserRow>(ctx.context.adapter, {
					model: "user",
					field: name === undefined ? "email" : "name",
					prefix: name ?? email?.toLowerCase() ?? "",
					limit,
					after: readCursor(cursor, parsePrefixPageEnd),
				});
				if (end) {
					const search = { ...(email === undefined ? {} : { email }), ...(name === undefined ? {} : { name }) };
					linkNextPage(ctx, { path: PATH, limit, after: JSON.stringify(end), query: { tenantId, ...search } });
				}
				return ctx.json(rows.map(showUser));
			});
		},
	);
