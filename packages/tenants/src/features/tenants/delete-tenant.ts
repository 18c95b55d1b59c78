import { createAuthEndpoint } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { successOpenAPI } from "../../lib/success-response.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { tenantStoreOf } from "../../scope/tenants/tenant-store.ts";
import type { Management } from "../management/management.ts";
import { whileAllowed } from "../management/while-allowed.ts";
import { deletionOf } from "./deletion.ts";

const body = z.object({ tenantId: z.string().meta({ description: "The tenant to delete" }) });

/**
 * Deletes a tenant with all its data. Takes at least `deletion.drainTime`, 20 seconds by default, if a process has served the
 * tenant, unless the database has the triggers of `tenantTriggerSteps`. After a crash, call it again to continue.
 */
export const deleteTenant = (management: Management) =>
	createAuthEndpoint(
		"/tenant/delete",
		{
			method: "POST",
			body,
			use: [management.guard({ action: "tenant:delete", target: "body" })],
			metadata: {
				openapi: {
					operationId: "deleteTenant",
					description:
						"Delete a tenant and its related records. Takes at least deletion.drainTime (20 seconds by default) if a process has served the tenant, unless the database has the triggers",
					responses: successOpenAPI("Deleted"),
				},
			},
		},
		async (ctx) => {
			const tenantId = ctx.context.targetId;
			// also finds a tenant whose deletion was interrupted
			const tenant = tenantId && tenantId !== PLATFORM ? await tenantStoreOf(ctx).find(tenantId) : null;
			if (!tenant) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.TENANT_NOT_FOUND);
			// the deletion takes long, and waits for requests: it only begins with the rights of the caller
			await whileAllowed(ctx, async () => undefined);
			await deletionOf(ctx)(tenant.id);
			return ctx.json({ success: true });
		},
	);
