import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { callerRole, type ManagedContext, recording } from "../admin/act-on-user.ts";
import { findActiveRole } from "../admin/allowed-actions.ts";
import { mayActOn, roleOf, TENANT_ROLES, type TenantRole } from "../users/roles.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import type { InvitationRow } from "./invitation.ts";

/** Who invites. Both are null for operators, whose invitations do not depend on a user of the tenant. */
export type Inviter = { id: string | null; role: TenantRole | null };

/** Whether the first role is higher than the second. */
export const isHigher = (role: TenantRole, than: TenantRole): boolean =>
	TENANT_ROLES.indexOf(role) > TENANT_ROLES.indexOf(than);

/** Audits the attempt. Throws if the caller may not grant the role. Operators may grant every role. */
export const requireMayInvite = (ctx: ManagedContext, tenantId: string, granted: TenantRole): Promise<Inviter> =>
	recording(ctx, undefined, () => findInviter(ctx, tenantId, granted));

/** Returns who invites, or throws like `requireMayInvite`. For the transaction that writes: roles may have changed since the audit. */
export const findInviter = async (ctx: ManagedContext, tenantId: string, granted: TenantRole): Promise<Inviter> => {
	const role = await callerRole(ctx, tenantId);
	if (role === "operator") return { id: null, role: null };
	if (!mayActOn(role, granted)) throw APIError.from("FORBIDDEN", INVITATION_ERROR_CODES.INVITATION_ROLE_NOT_ALLOWED);
	const { actor } = ctx.context;
	return { id: actor.kind === "session" ? actor.userId : null, role };
};

/**
 * Whether the inviter could still invite. The invitations of a user who was removed, banned or demoted are not valid:
 * otherwise an admin who has to go could invite themselves back.
 */
export const isBacked = async (
	ctx: GenericEndpointContext,
	{ inviterId, inviterRole }: Pick<InvitationRow, "inviterId" | "inviterRole">,
): Promise<boolean> => {
	if (inviterId === null) return true;
	const role = await findActiveRole(ctx, inviterId);
	return role !== null && !isHigher(roleOf(inviterRole), role);
};
