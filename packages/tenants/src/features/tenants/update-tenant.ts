import { createAuthEndpoint } from "@better-auth/core/api";
import * as z from "zod";
import { showTenant, tenantOpenAPI } from "../../scope/tenants/tenant.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import type { Management } from "../management/management.ts";
import { whileAllowed } from "../management/while-allowed.ts";
import { bodyOf, checkMetadata, checkName, metadataInput, refuseOtherFields } from "./tenant-input.ts";

const body = bodyOf({
	tenantId: z.string().meta({ description: "The tenant to change" }),
	name: z.string().meta({ description: "Display name" }).optional(),
	slug: z.string().meta({ description: "Unique URL-friendly id" }).optional(),
	metadata: metadataInput
		.meta({ description: "Arbitrary JSON. Replaces the stored metadata", type: "object", nullable: true })
		.optional(),
});

/** Updates the fields that are sent. Other fields stay unchanged. */
export const updateTenant = (management: Management, checkSlug: (slug: string) => string) =>
	createAuthEndpoint(
		"/tenant/update",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "tenant:update", target: "body" })],
			metadata: {
				openapi: {
					operationId: "updateTenant",
					description: "Update a tenant",
					responses: {
						"200": { description: "The updated tenant", content: { "application/json": { schema: tenantOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			refuseOtherFields(ctx.body, body);
			const { name, slug, metadata } = ctx.body;
			const tenantId = ctx.context.targetId;
			const changes = {
				...(name === undefined ? {} : { name: checkName(name) }),
				...(slug === undefined ? {} : { slug: checkSlug(slug) }),
				...(metadata === undefined ? {} : { metadata: checkMetadata(metadata) }),
			};
			const tenants = tenantStoreOf(ctx);
			const tenant =
				tenantId &&
				(await tenants.findOpen({ id: tenantId })) &&
				(await whileAllowed(ctx, () => tenants.update(tenantId, changes)));
			if (!tenant) throw await tenants.notFound(tenantId ? { id: tenantId } : null);
			return ctx.json(showTenant(tenant));
		},
	);
