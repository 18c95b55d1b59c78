import { createAuthMiddleware } from "@better-auth/core/api";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { getSessionFromCtx } from "better-auth/api";
import { type AuditEntry, currentTenantId, PLATFORM } from "better-auth-tenants";
import { holdsRole } from "./roles.ts";

const ADMIN = "/admin/";

/** What only looks: kept in the log, and not among the events. */
const READS = new Map([
	["get-user", "operator:get"],
	["has-permission", "operator:get"],
	["list-users", "operator:list"],
	["list-user-sessions", "operator:list"],
] as const);

/** Whom the admin plugin lets act, by its own default. */
const adminRolesOf = ({ context }: { context: { options: BetterAuthOptions } }): string[] => {
	const { adminRoles = ["admin"] } = Object(context.options.plugins?.find(({ id }) => id === "admin")?.options) as {
		adminRoles?: string | string[];
	};
	return [adminRoles].flat();
};

/**
 * Audits the admin plugin's endpoints on the platform, where they change operators. In a tenant they are closed. An attempt is
 * noted before it runs: what cannot be noted does not happen.
 */
export const auditPlatform = (audit: (entry: AuditEntry) => Promise<void>): BetterAuthPlugin => ({
	id: "audit-platform",
	hooks: {
		before: [
			{
				matcher: ({ path }) => path?.startsWith(ADMIN) ?? false,
				handler: createAuthMiddleware(async (ctx) => {
					const session = (currentTenantId() ?? PLATFORM) === PLATFORM ? await getSessionFromCtx(ctx) : null;
					// without a session the endpoint refuses, and nobody is named
					if (!session) return;
					const name = ctx.path?.slice(ADMIN.length) ?? "";
					const isAllowed = holdsRole(session.user.role, adminRolesOf(ctx));
					const { userId } = Object(ctx.body ?? ctx.query) as { userId?: unknown };
					await audit({
						at: new Date(),
						action: READS.get(name as never) ?? `operator:${name}`,
						tenantId: null,
						actor: { kind: "session", userId: session.user.id, tenantId: PLATFORM },
						outcome: isAllowed ? "allowed" : "refused",
						...(typeof userId === "string" ? { userId: userId.slice(0, 100) } : {}),
					});
				}),
			},
		],
	},
});
