import { PLATFORM } from "better-auth-tenants";
import type { TenantRole } from "better-auth-tenants/admin";
import type { Pool } from "pg";
import type { Config } from "../config/config.ts";
import { holdsRole, isBanned } from "../lib/user-state.ts";

/** A session with its user, as Better Auth returns it. */
export type CallerSession = { session: Record<string, unknown>; user: Record<string, unknown> };

const ROLES: readonly TenantRole[] = ["owner", "admin", "member"];

/**
 * The role of a session's user in their tenant. Null on the platform, for a banned user and for an impersonated session. Reads
 * the database, because Redis has a copy that may be out of date.
 */
export const findRole = async (
	pool: Pick<Pool, "query">,
	{ session, user }: CallerSession,
): Promise<TenantRole | null> => {
	if (session.tenantId === PLATFORM || session.operatorId != null || session.impersonatedBy != null) return null;
	const { rows } = await pool.query<{ role: string | null }>(
		`select "role" from "user" where "id" = $1 and "tenantId" = $2
		and not (coalesce("banned", false) and coalesce("banExpires", 'infinity') > now())`,
		[user.id, session.tenantId],
	);
	const [found] = rows;
	return found ? (ROLES.find((role) => role === found.role) ?? "member") : null;
};

/** Whether a session's user may manage every tenant. The management endpoints decide by the same rules. */
export const isOperator = ({ session, user }: CallerSession, { userIds, roles }: Config["management"]): boolean => {
	if (session.tenantId !== PLATFORM || session.operatorId != null || session.impersonatedBy != null) return false;
	if (isBanned(user)) return false;
	return userIds.includes(String(user.id)) || holdsRole(user.role, roles);
};
