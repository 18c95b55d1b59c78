import { createAuthMiddleware } from "@better-auth/core/api";
import type { ManagementAction } from "../../endpoints/action.ts";
import { managementOf } from "../management/management.ts";

/**
 * Only operators change the state of a tenant: an admin of the tenant could otherwise undo its suspension. The management of
 * the instance decides, because the companion is created before it.
 */
export const guardState = (action: ManagementAction) =>
	createAuthMiddleware(async (ctx) =>
		managementOf(ctx).enforce(ctx, { action, target: "body", operatorsOnly: true, recordedByHandler: true }),
	);
