import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { showTenant, tenantOpenAPI } from "../../scope/tenants/tenant.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import type { Management } from "../management/management.ts";
import { bodyOf, checkMetadata, checkName, metadataInput, refuseOtherFields } from "./tenant-input.ts";

const body = bodyOf({
	name: z.string().meta({ description: "Display name" }),
	slug: z.string().meta({ description: "Unique URL-friendly id" }),
	metadata: metadataInput.meta({ description: "Arbitrary JSON", type: "object", nullable: true }).optional(),
});

/** Creates a tenant. */
export const createTenant = (management: Management, checkSlug: (slug: string) => string) =>
	createAuthEndpoint(
		"/tenant/create",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "tenant:create", target: "new" })],
			metadata: {
				openapi: {
					operationId: "createTenant",
					description: "Create a tenant",
					responses: {
						"200": { description: "The tenant", content: { "application/json": { schema: tenantOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			refuseOtherFields(ctx.body, body);
			const { name, slug, metadata } = ctx.body;
			const tenant = await tenantStoreOf(ctx).create(ctx.context.targetId, {
				name: checkName(name),
				slug: checkSlug(slug),
				metadata: checkMetadata(metadata),
			});
			return ctx.json(showTenant(tenant));
		},
	);
