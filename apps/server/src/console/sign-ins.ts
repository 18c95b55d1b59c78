import { createAuthEndpoint } from "better-auth/api";
import { guardManagement } from "better-auth-tenants";
import type { Pool } from "pg";
import * as z from "zod";
import { COUNTED_DAYS } from "../schema/console-tables.ts";
import type { ServerApi } from "../tenants/act-for-tenant.ts";
import { findKeptTenant } from "./kept-tenant.ts";
import { readSignIns } from "./read-sign-ins.ts";

const DEFAULT_DAYS = 30;

/** `GET /tenant/sign-ins`: how many sign-ins of a tenant succeeded and were refused, by day (UTC) and by method. */
export const getSignIns = ({ api, pool }: { api: ServerApi; pool: Pool }) =>
	createAuthEndpoint(
		"/tenant/sign-ins",
		{
			method: "GET",
			query: z.object({
				tenantId: z.string().meta({ description: "The tenant" }),
				days: z.coerce
					.number()
					.int()
					.min(1)
					.max(COUNTED_DAYS)
					.meta({ description: `Days up to today, 1 to ${COUNTED_DAYS}. Default: ${DEFAULT_DAYS}` })
					.optional(),
			}),
			use: [guardManagement({ action: "activity:get", target: "query" })],
			metadata: {
				openapi: { operationId: "getTenantSignIns", description: "Count a tenant's sign-ins by day and by method" },
			},
		},
		async (ctx) => {
			const { id } = await findKeptTenant(api, ctx.context.tenantId);
			return ctx.json(await readSignIns(pool, id, ctx.query.days ?? DEFAULT_DAYS));
		},
	);
