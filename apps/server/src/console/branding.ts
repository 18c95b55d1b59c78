import { createAuthEndpoint } from "better-auth/api";
import { guardManagement } from "better-auth-tenants";
import type { Pool } from "pg";
import * as z from "zod";
import { brandingProblems, readBranding } from "../branding/branding.ts";
import type { ServerApi } from "../tenants/act-for-tenant.ts";
import { brandingRefusal } from "../tenants/tenant-branding-check.ts";
import { closedError, findKeptTenant } from "./kept-tenant.ts";
import { writeMetadataField } from "./metadata-field.ts";

const tenantId = z.string().meta({ description: "The tenant" });

type BrandingWith = { api: ServerApi; pool: Pool };

/** `GET /tenant/branding`: how a tenant's pages look. Fields that are invalid are left out, as the pages do. */
export const getBranding = ({ api }: BrandingWith) =>
	createAuthEndpoint(
		"/tenant/branding",
		{
			method: "GET",
			query: z.object({ tenantId }),
			use: [guardManagement({ action: "branding:get", target: "query" })],
			metadata: { openapi: { operationId: "getTenantBranding", description: "Get the branding of a tenant" } },
		},
		async (ctx) => {
			const { metadata } = await findKeptTenant(api, ctx.context.tenantId);
			return ctx.json({ branding: readBranding(metadata?.branding) });
		},
	);

/** `POST /tenant/branding`: replaces the branding. Null removes it. The rest of the metadata stays. */
export const updateBranding = ({ api, pool }: BrandingWith) =>
	createAuthEndpoint(
		"/tenant/branding",
		{
			method: "POST",
			body: z.object({
				tenantId,
				branding: z.unknown().meta({ description: "The branding, or null to remove it" }),
			}),
			use: [guardManagement({ action: "branding:update" })],
			metadata: { openapi: { operationId: "updateTenantBranding", description: "Replace the branding of a tenant" } },
		},
		async (ctx) => {
			const { tenantId: id } = ctx.context;
			const { branding = null } = ctx.body;
			const [problem] = brandingProblems(branding);
			if (problem) throw brandingRefusal(problem);
			if (!(await writeMetadataField(pool, id, "branding", branding))) throw closedError(await findKeptTenant(api, id));
			return ctx.json({ branding: readBranding(branding) });
		},
	);
