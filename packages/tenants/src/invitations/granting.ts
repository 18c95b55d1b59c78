import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { mayActOn, roleOf, TENANT_ROLES, type TenantRole } from "../admin/roles.ts";
import type { Actor } from "../management/audit.ts";
import { PLATFORM } from "../scope/platform.ts";
import { INVITATION_ERROR_CODES } from "./error-codes.ts";
import type { InvitationRow } from "./invitation.ts";

type Users = Pick<AuthContext["internalAdapter"], "findUserById">;
type StoredUser = { id: string; role?: unknown; banned?: unknown; banExpires?: unknown };

/** Who invites. `id` and `role` are null for operators, whose invitations do not depend on a user of the tenant. */
export type Inviter = { id: string | null; role: TenantRole | null };

const rankOf = (role: TenantRole): number => TENANT_ROLES.indexOf(role);

/** Whether the first role is higher than the second. */
export const isHigher = (role: TenantRole, than: TenantRole): boolean => rankOf(role) > rankOf(than);

/**
 * Returns who invites, or throws if the actor may not grant the role. Operators may grant every role. A user whom
 * `management.authorize` allowed to invite, and who is no admin, may grant the lowest role only.
 */
export const requireGranting = async (
	{ users, tenantId, actor }: { users: Users; tenantId: string; actor: Actor },
	role: TenantRole,
): Promise<Inviter> => {
	if (isOperator(actor)) return { id: null, role: null };
	const inviter = await inviterOf(users, tenantId, actor);
	if (role !== "member" && !mayActOn(inviter.role ?? "member", role))
		throw APIError.from("FORBIDDEN", INVITATION_ERROR_CODES.INVITATION_ROLE_NOT_ALLOWED);
	return inviter;
};

const isOperator = (actor: Actor): boolean =>
	actor.kind === "key" || actor.kind === "server" || (actor.kind === "session" && actor.tenantId === PLATFORM);

const inviterOf = async (users: Users, tenantId: string, actor: Actor): Promise<Inviter> => {
	if (actor.kind !== "session" || actor.tenantId !== tenantId) return { id: null, role: "member" };
	const user: StoredUser | null = await users.findUserById(actor.userId);
	return { id: actor.userId, role: roleOf(user?.role) };
};

/**
 * Whether the inviter could still invite. The invitations of a user who was removed, banned or demoted are not valid:
 * otherwise an admin who has to go could invite themself back.
 */
export const isBacked = async (
	users: Users,
	{ inviterId, inviterRole }: Pick<InvitationRow, "inviterId" | "inviterRole">,
): Promise<boolean> => {
	if (inviterId === null) return true;
	const user: StoredUser | null = await users.findUserById(inviterId);
	return user !== null && !isBanned(user) && !isHigher(roleOf(inviterRole), roleOf(user.role));
};

/** As the admin plugin decides it. */
const isBanned = ({ banned, banExpires }: StoredUser): boolean =>
	Boolean(banned) && !(banExpires instanceof Date && banExpires.getTime() < Date.now());
