import type { ManagementAttempt } from "better-auth-tenants";
import type { Pool } from "pg";
import { findRole } from "./caller-role.ts";

/** What the owners and admins of a tenant may do in it while the console is on, besides what tenant-admin allows. */
const ALLOWED = new Map<string, "admins" | "owners">([
	["branding:get", "admins"],
	["activity:get", "admins"],
	["event:list", "admins"],
	["branding:update", "owners"],
	["oauth-config:register", "owners"],
	["oauth-config:delete", "owners"],
	["oauth-config:test", "owners"],
]);

/** Decides about users of a tenant, in their own tenant. Asked about callers who are not operators. */
export const authorizeInTenant =
	(pool: Pick<Pool, "query">) =>
	async ({ action, tenantId, session }: ManagementAttempt): Promise<boolean> => {
		const allowed = ALLOWED.get(action);
		if (!allowed || !session || tenantId === null || session.session.tenantId !== tenantId) return false;
		const role = await findRole(pool, session);
		return role === "owner" || (role === "admin" && allowed === "admins");
	};
