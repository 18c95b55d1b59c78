import { createAuthMiddleware } from "@better-auth/core/api";
import type { BetterAuthPlugin } from "better-auth";
import { getAuthoritativeSessionFromCtx, getIP } from "better-auth/api";
import { type AuditEntry, currentTenantId, PLATFORM } from "better-auth-tenants";
import { holdsRole } from "../lib/user-state.ts";

type Audit = (entry: AuditEntry) => Promise<void>;

/** What only looks: kept in the log, and not among the events. */
const READS: Record<string, string> = {
	"get-user": "get",
	"has-permission": "get",
	"list-users": "list",
	"list-user-sessions": "list",
};

/**
 * Audits every endpoint of the admin plugin: on the platform as `operator:…`, in a tenant where they are open as `user:…`. The
 * entry is written when the body is valid and the session is the one that the endpoint itself uses, whatever it came with: a
 * hook runs too early for both. What cannot be noted does not happen.
 */
export const auditAdmin = (plugin: BetterAuthPlugin, audit: Audit): BetterAuthPlugin => {
	const { adminRoles = ["admin"] } = Object(plugin.options) as { adminRoles?: string | string[] };
	for (const { path, options } of Object.values(plugin.endpoints ?? {})) {
		const name = path?.split("/").at(-1) ?? "";
		options.use = [...(options.use ?? []), noting(name, [adminRoles].flat(), audit)];
	}
	return plugin;
};

const noting = (name: string, adminRoles: string[], audit: Audit) =>
	createAuthMiddleware(async (ctx) => {
		const headers = ctx.headers ?? ctx.request?.headers;
		// server code, which has its own audit
		if (!headers) return;
		const found = await getAuthoritativeSessionFromCtx(ctx);
		// the endpoint refuses it, and anybody could fill the log
		if (!found) return;
		const { user } = found;
		const session: Record<string, unknown> = found.session;
		const tenantId = currentTenantId() ?? PLATFORM;
		const isOfPlatform = tenantId === PLATFORM;
		const operator = session.operatorId ?? (session.impersonatedBy == null ? null : `user:${session.impersonatedBy}`);
		const ip = getIP(headers, ctx.context.options);
		const { userId, id } = Object(ctx.body ?? ctx.query) as { userId?: unknown; id?: unknown };
		const target = userId ?? id;
		const mayAct = name === "stop-impersonating" || holdsRole(user.role, adminRoles);
		await audit({
			at: new Date(),
			action: `${isOfPlatform ? "operator" : "user"}:${READS[name] ?? name}`,
			tenantId: isOfPlatform ? null : tenantId,
			actor: {
				kind: "session",
				userId: user.id,
				tenantId,
				...(operator == null ? {} : { operatorId: String(operator) }),
			},
			outcome: mayAct ? "allowed" : "refused",
			...(typeof target === "string" ? { userId: target.slice(0, 100).toWellFormed() } : {}),
			...(ip ? { ip } : {}),
		});
	});
