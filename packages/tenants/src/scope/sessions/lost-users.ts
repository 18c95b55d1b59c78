import type { SecondaryStorage } from "@better-auth/core/db";
import { isSessionToken } from "./impersonated-session.ts";

/**
 * Ends a session whose user moved to another tenant, or was deleted, while the session was created or renewed. The engine then
 * stores the session with `null` for its user, cannot read it again, and requests with its token return 500. So only `null` is
 * stored, which the engine reads as a missing session. It does not look for the row either, where a move ends the session later.
 */
export const refuseLostUsers = (storage: SecondaryStorage): SecondaryStorage => ({
	...storage,
	set: async (key, value, ttl) => {
		await storage.set(key, isSessionToken(key) && lacksUser(value) ? "null" : value, ttl);
	},
});

const lacksUser = (stored: string): boolean => {
	try {
		const copy: unknown = JSON.parse(stored);
		return typeof copy === "object" && copy !== null && "session" in copy && "user" in copy && copy.user === null;
	} catch {
		return false;
	}
};
