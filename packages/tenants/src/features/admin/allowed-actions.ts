import type { GenericEndpointContext } from "@better-auth/core";
import type { ManagementAction } from "../../endpoints/action.ts";
import { isBanned } from "../../engine/banned-user.ts";
import type { CompanionAttempt } from "../../scope/compose/companion.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { roleOf, type TenantRole } from "../users/roles.ts";
import { findUser } from "../users/user.ts";

/** What the admins and owners of a tenant may do in it. Only operators do the rest. */
const ALLOWED: Partial<Record<ManagementAction, "admins" | "owners">> = {
	"tenant:get": "admins",
	"tenant-domain:list": "admins",
	"oauth-config:list": "admins",
	"sso-provider:list": "admins",
	"invitation:create": "admins",
	"invitation:list": "admins",
	"invitation:resend": "admins",
	"invitation:revoke": "admins",
	"policy:get": "admins",
	"policy:update": "owners",
	"user:list": "admins",
	"user:get": "admins",
	"user:create": "admins",
	"user:set-role": "admins",
	"user:ban": "admins",
	"user:unban": "admins",
	"user:reset-second-factor": "admins",
	"user:end-sessions": "admins",
	"user:remove": "admins",
	"user:export-data": "admins",
	"user:erase": "owners",
};

/**
 * Whether the user of a session manages their own tenant with this action. Reads the role and the ban from the database,
 * because a secondary storage has a copy that may be out of date. An impersonated session manages nothing.
 */
export const admitsTenantAdmin = async (
	ctx: GenericEndpointContext,
	{ action, tenantId, session }: CompanionAttempt,
): Promise<boolean> => {
	const allowed = ALLOWED[action];
	if (!allowed || !session || tenantId === null || tenantId === PLATFORM) return false;
	if (session.session.tenantId !== tenantId) return false;
	if (session.session.impersonatedBy != null || session.session.operatorId != null) return false;
	const role = await runInKnownTenant(tenantId, () => findActiveRole(ctx, String(session.user.id)));
	return role === "owner" || (role === "admin" && allowed === "admins");
};

/** The role of a user of the current tenant. Null if there is no such user, or they are banned. */
export const findActiveRole = async (ctx: GenericEndpointContext, userId: string): Promise<TenantRole | null> => {
	const user = await findUser(ctx, userId);
	return user && !isBanned(user) ? roleOf(user.role) : null;
};
