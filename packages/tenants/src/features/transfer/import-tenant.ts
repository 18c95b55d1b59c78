import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { TRANSFER_ERROR_CODES } from "../../errors/transfer-error-codes.ts";
import { date } from "../../lib/date.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { showTenant, tenantOpenAPI } from "../../scope/tenants/tenant.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import type { Management } from "../management/management.ts";
import { checkMetadata, checkName, metadataInput } from "../tenants/tenant-input.ts";

/** A tenant as `/tenant/list` returns it. */
const body = z.object({
	id: z.string().meta({ description: "The tenant's id before the move. Its secrets and callback URLs depend on it" }),
	name: z.string().meta({ description: "Display name" }),
	slug: z.string().meta({ description: "Unique URL-friendly id" }),
	metadata: metadataInput.meta({ description: "Arbitrary JSON" }).optional(),
	createdAt: date.meta({ description: "When the tenant was created. Default: now" }).optional(),
	updatedAt: date.meta({ description: "When the tenant was last changed. Default: now" }).optional(),
});

const requestBody = {
	required: true,
	content: {
		"application/json": { schema: { ...tenantOpenAPI, required: ["id", "name", "slug"] } },
	},
};

const importedTenantOpenAPI = {
	type: "object" as const,
	properties: {
		tenant: { ...tenantOpenAPI, description: "The tenant" },
		existing: { type: "boolean" as const, description: "Whether the tenant already existed" },
	},
	required: ["tenant", "existing"],
};

/**
 * Creates a tenant with its id from another deployment. An existing tenant with the same id and slug stays unchanged.
 */
export const importTenant = (management: Management, checkSlug: (slug: string) => string) =>
	createAuthEndpoint(
		"/tenant/import",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "tenant:import", target: "body-id", requires: "transfer" })],
			metadata: {
				openapi: {
					operationId: "importTenant",
					description: "Create a tenant with its id from another deployment. Requires a management key",
					requestBody,
					responses: {
						"200": { description: "The tenant", content: { "application/json": { schema: importedTenantOpenAPI } } },
					},
				},
			},
		},
		async (ctx) => {
			const { name, slug, metadata } = ctx.body;
			const now = new Date();
			const { row, existing } = await tenantStoreOf(ctx).import({
				id: checkId(ctx.context.targetId),
				name: checkName(name),
				slug: checkSlug(slug),
				metadata: checkMetadata(metadata),
				createdAt: ctx.body.createdAt ?? now,
				updatedAt: ctx.body.updatedAt ?? now,
			});
			return ctx.json({ tenant: showTenant(row), existing });
		},
	);

const checkId = (id: string | null): string => {
	if (id === null) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_TENANT_ID);
	// ignores case, because MySQL does; the platform has no row that would cause a conflict
	if (id.toLowerCase() === PLATFORM) throw APIError.from("CONFLICT", TRANSFER_ERROR_CODES.TENANT_ID_TAKEN);
	return id;
};
