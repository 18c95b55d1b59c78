import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import type { Management } from "../management/management.ts";
import { linkNextPage, pageInput, readCursor } from "../paging.ts";
import { isTenantId } from "../resolve/tenant-id.ts";
import { servicesOf } from "../services.ts";
import { showTenant, tenantOpenAPI } from "./tenant.ts";
import type { PageEnd } from "./tenant-pages.ts";

const PATH = "/tenant/list";
const DEFAULT_LIMIT = 100;
const { fields, parameters } = pageInput("Tenants", DEFAULT_LIMIT);
const query = z.object(fields).optional();

/**
 * Lists tenants, newest first, one page at a time. The body is an array. The header `Link: rel="next"` (RFC 8288) has the
 * next page.
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
					description: "List tenants, newest first",
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
			const { rows, end } = await servicesOf(ctx).tenants.list(limit, readCursor(ctx.query?.cursor, readEnd));
			if (end) linkNextPage(ctx, { path: PATH, limit, after: writeEnd(end) });
			return ctx.json(rows.map(showTenant));
		},
	);

const writeEnd = ({ createdAt, id, isFraction }: PageEnd): string =>
	`${createdAt.getTime()}${isFraction ? "+" : "."}${id}`;

/** The last millisecond that ISO 8601 writes with four digits for the year. SQLite compares times as such texts. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const readEnd = (text: string): PageEnd | null => {
	const [, time = "", mark, id] = /^(\d{1,15})([.+])(.*)$/.exec(text) ?? [];
	if (!isTenantId(id) || Number(time) > LAST_TIME) return null;
	return { createdAt: new Date(Number(time)), id, isFraction: mark === "+" };
};
