import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { Management } from "../management/management.ts";
import { PLATFORM } from "../scope/platform.ts";
import { servicesOf } from "../services.ts";
import { showTenant, tenantOpenAPI } from "../tenants/tenant.ts";
import { checkMetadata, checkName } from "../tenants/tenant-input.ts";
import { TRANSFER_ERROR_CODES } from "../transfer-error-codes.ts";
import { date } from "./date.ts";

/** A tenant as `/tenant/list` shows it. */
const body = z.object({
	id: z.string().meta({ description: "The id it had: its secrets and callback URLs go by it" }),
	name: z.string().meta({ description: "Display name" }),
	slug: z.string().meta({ description: "Unique URL-friendly id" }),
	metadata: z.record(z.string(), z.unknown()).nullish().meta({ description: "Arbitrary JSON" }),
	createdAt: date.optional(),
	updatedAt: date.optional(),
});

const requestBody = {
	required: true,
	content: {
		"application/json": { schema: { ...tenantOpenAPI, required: ["id", "name", "slug"] } },
	},
};

const answer = {
	type: "object" as const,
	properties: { tenant: tenantOpenAPI, existing: { type: "boolean" as const, description: "It was there already" } },
	required: ["tenant", "existing"],
};

/** Makes a tenant under the id that it had elsewhere. One that is there under the same id and slug stays as it is. */
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
					description: "Create a tenant under the id that it had elsewhere; by management key alone",
					requestBody,
					responses: {
						"200": { description: "The tenant", content: { "application/json": { schema: answer } } },
					},
				},
			},
		},
		async (ctx) => {
			const { name, slug, metadata } = ctx.body;
			const now = new Date();
			const { row, existing } = await servicesOf(ctx).tenants.import({
				id: checkId(ctx.context.targetId),
				name: checkName(name),
				slug: checkSlug(slug),
				metadata: metadata ? checkMetadata(metadata) : null,
				createdAt: ctx.body.createdAt ?? now,
				updatedAt: ctx.body.updatedAt ?? now,
			});
			return ctx.json({ tenant: showTenant(row), existing });
		},
	);

const checkId = (id: string | null): string => {
	if (id === null) throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_TENANT_ID);
	// in any case of letters: MySQL would take the two for one, and the platform has no row that would be in the way
	if (id.toLowerCase() === PLATFORM) throw APIError.from("CONFLICT", TRANSFER_ERROR_CODES.TENANT_ID_TAKEN);
	return id;
};
