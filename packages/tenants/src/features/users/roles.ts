import { adminAc, userAc } from "better-auth/plugins/admin/access";

/** The roles of a tenant's users, from the lowest to the highest. */
export const TENANT_ROLES = ["member", "admin", "owner"] as const;

/**
 * The role of a user inside a tenant. Each user has one.
 *
 * @example
 * ```ts
 * const role: TenantRole = "admin";
 * ```
 */
export type TenantRole = (typeof TENANT_ROLES)[number];

export const DEFAULT_ROLE: TenantRole = "member";

/**
 * Options for Better Auth's `admin` plugin: the roles `owner`, `admin` and `member` of a tenant's users. `user` and `admin`
 * keep their meaning on the platform.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: withTenants({}, [admin({ ...tenantRoles }), tenantAdmin()]) });
 * ```
 */
export const tenantRoles = {
	roles: { owner: adminAc, admin: adminAc, member: userAc, user: userAc },
	defaultRole: DEFAULT_ROLE,
	adminRoles: ["owner", "admin"],
};

/** Reads a stored role. Users from before the roles, and users with other roles, are members. */
export const roleOf = (stored: unknown): TenantRole => TENANT_ROLES.find((role) => role === stored) ?? DEFAULT_ROLE;

/** Whether a user with the first role may act on a user with the second role, or grant it. Only owners touch owners. */
export const mayActOn = (actor: TenantRole, role: TenantRole): boolean =>
	actor === "owner" || (actor === "admin" && role !== "owner");
