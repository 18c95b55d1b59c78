import { APIError, createAuthEndpoint } from "better-auth/api";
import { guardManagement, PLATFORM, TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import type { Pool } from "pg";
import * as z from "zod";
import type { ServerApi } from "../tenants/act-for-tenant.ts";
import { type EventPageEnd, readEvents } from "./events.ts";
import { findKeptTenant } from "./kept-tenant.ts";

const PATH = "/tenant/events";
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

/**
 * `GET /tenant/events`: management events of one tenant, newest first. Operators can leave `tenantId` out, and can read the
 * events of a tenant that is deleted. The header `Link: rel="next"` (RFC 8288) has the next page.
 */
export const listEvents = ({ api, pool }: { api: ServerApi; pool: Pool }) =>
	createAuthEndpoint(
		PATH,
		{
			method: "GET",
			query: z.object({
				tenantId: z.string().meta({ description: "The tenant. Operators can leave it out for all tenants" }).optional(),
				limit: z.coerce
					.number()
					.int()
					.min(1)
					.max(MAX_LIMIT)
					.meta({ description: `Events per page. Default: ${DEFAULT_LIMIT}, at most ${MAX_LIMIT}` })
					.optional(),
				cursor: z.string().meta({ description: "Cursor from the Link header of the previous page" }).optional(),
			}),
			use: [guardManagement({ action: "event:list", target: "query-or-none" })],
			metadata: { openapi: { operationId: "listTenantEvents", description: "List management events, newest first" } },
		},
		async (ctx) => {
			const { tenantId, actor } = ctx.context;
			const isForTenant = actor.kind === "session" && actor.tenantId !== PLATFORM;
			if (isForTenant) await findKeptTenant(api, tenantId ?? "");
			const { limit = DEFAULT_LIMIT, cursor } = ctx.query;
			const after = cursor === undefined ? null : readCursor(cursor);
			const { events, end } = await readEvents(pool, { tenantId, isForTenant, limit, after });
			if (end) {
				const next = new URL(`${ctx.context.baseURL}${PATH}`);
				if (tenantId !== null) next.searchParams.set("tenantId", tenantId);
				next.searchParams.set("limit", String(limit));
				next.searchParams.set("cursor", writeCursor(end));
				ctx.setHeader("link", `<${next}>; rel="next"`);
				ctx.setHeader("access-control-expose-headers", "link");
			}
			return ctx.json(events);
		},
	);

const writeCursor = ({ at, id }: EventPageEnd): string => btoa(`${at.getTime()}.${id}`);

const readCursor = (cursor: string): EventPageEnd => {
	const text = Buffer.from(cursor, "base64").toString();
	const [, time, id] = /^(\d{1,13})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(text) ?? [];
	if (!time || !id) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_CURSOR);
	return { at: new Date(Number(time)), id };
};
