import { createAuthMiddleware } from "@better-auth/core/api";
import { servicesOf } from "../services.ts";
import type { ManagementAction } from "./action.ts";
import { requireTarget } from "./management.ts";

/**
 * Guards your own management endpoint, in its `use` list. The caller needs the same permission as for the plugin's endpoints,
 * for the tenant in `tenantId` of the body, or of the query with `target: "query"`. Every attempt is audited. The handler
 * finds `tenantId` and `actor` in `ctx.context`. Use a path below `/tenant/`: there, `tenantId` names the target and does not
 * change the caller's tenant.
 *
 * @example
 * ```ts
 * const listConnections = createAuthEndpoint(
 * 	"/tenant/scim-connection/list",
 * 	{ method: "GET", use: [guardManagement({ action: "scim-connection:list", target: "query" })] },
 * 	async ({ context }) => runWithTenant(context.tenantId, () => findConnections()),
 * );
 * ```
 */
export const guardManagement = ({ action, target = "body" }: { action: ManagementAction; target?: "body" | "query" }) =>
	createAuthMiddleware(async (ctx) => {
		const { targetId, actor } = await servicesOf(ctx).management.enforce(ctx, { action, target });
		return { tenantId: requireTarget(targetId), actor };
	});
