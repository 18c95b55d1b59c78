import { createAuthMiddleware } from "@better-auth/core/api";
import type { ManagementAction } from "../../endpoints/action.ts";
import { managementOf, requireTarget } from "./management.ts";

/** Where the request names its tenant. With `none` and `query-or-none`, the action can be about all tenants. */
type GuardTarget = "body" | "query" | "none" | "query-or-none";

type OwnGuard<Target extends GuardTarget> = {
	action: ManagementAction;
	target?: Target;
	/** Only keys, `userIds`, `roles` and server code. `authorize` and the admins of a tenant are not asked. */
	operatorsOnly?: boolean;
};

type TargetId<Target extends GuardTarget> = Target extends "none" | "query-or-none" ? string | null : string;

/**
 * Guards your own management endpoint, in its `use` list. The caller needs the same permission as for the plugin's endpoints,
 * for the tenant in `tenantId` of the body, or of the query with `target: "query"`. Every attempt is audited. The handler
 * finds `tenantId` and `actor` in `ctx.context`. Use a path below `/tenant/`: there, `tenantId` names the target and does not
 * change the caller's tenant.
 *
 * With `target: "none"` the action is about all tenants, and with `target: "query-or-none"` if the request names none. Then
 * `tenantId` is null, for `authorize` too.
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
export const guardManagement = <const Target extends GuardTarget = "body">({
	action,
	target,
	operatorsOnly = false,
}: OwnGuard<Target>) => {
	const where: GuardTarget = target ?? "body";
	const isRequired = where === "body" || where === "query";
	return createAuthMiddleware(async (ctx) => {
		const { targetId, actor } = await managementOf(ctx).enforce(ctx, {
			action,
			target: where === "query-or-none" ? "query" : where,
			operatorsOnly,
		});
		// a malformed id names no tenant, and must not become all of them
		const isNamed = where === "query-or-none" && ctx.query?.tenantId !== undefined;
		const tenantId = isRequired || isNamed ? requireTarget(targetId) : targetId;
		return { tenantId: tenantId as TargetId<Target>, actor };
	});
};
