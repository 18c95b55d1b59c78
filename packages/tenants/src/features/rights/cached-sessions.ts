import type { AuthContext } from "@better-auth/core";
import { isBanned } from "../../engine/banned-user.ts";
import { whenAssigned } from "../../engine/when-assigned.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { skippingCache } from "../../scope/sessions/cache-version.ts";
import { findUser } from "../users/user.ts";
import type { Row } from "./epoch.ts";
import { holds, keyOf, rightsNow, see } from "./request-rights.ts";

/** The columns of a user that decide what their session may do. */
const DECIDING = ["role", "twoFactorEnabled", "email", "emailVerified"];

/**
 * Believes a session in the cookie cache only if the user in the database still has its epoch, and the rights of its copy.
 * Otherwise Better Auth reads the session from its store. Costs one query per request with a cached session.
 */
export const guardCachedSessions = (context: AuthContext): void =>
	whenAssigned(context, "options", (options) =>
		skippingCache(options, async (session, user) => {
			const tenantId = pinOf({ context }).current();
			if (tenantId === PLATFORM) return false;
			const rights = rightsNow();
			const key = keyOf(tenantId, user.id);
			const stored: Row | null = rights?.users.get(key) ?? (await findUser({ context }, user.id));
			if (!stored || isBanned(stored) || !holds(rights, tenantId, session, stored)) return true;
			if (DECIDING.some((field) => (stored[field] ?? null) !== ((user as Row)[field] ?? null))) return true;
			rights?.users.set(key, stored);
			if (rights) {
				see(rights, tenantId, stored, { isVouched: true });
				rights.actors.add(key);
			}
			return false;
		}),
	);
