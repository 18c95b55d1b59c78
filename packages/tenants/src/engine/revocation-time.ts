import { sha256Text } from "../lib/sha256.ts";

/** The beginning of the engine's keys for the time until which a user's sessions are revoked, since 1.7.16. */
const REVOKED_BEFORE = "revoked-sessions-before-";

/** The engine's key for the time until which a user's sessions are revoked. */
export const revocationKey = (userId: string): string => `${REVOKED_BEFORE}${userId}`;

/**
 * Replaces the user's id in such a key with its hash. The engine stores the time when a user is deleted, and it outlasts the
 * user: sessions that are missing in the list are rejected only by it. So it must not say who was erased. Other keys stay.
 */
export const withoutUserId = (key: string): string | Promise<string> =>
	key.startsWith(REVOKED_BEFORE)
		? sha256Text(key.slice(REVOKED_BEFORE.length)).then((hash) => REVOKED_BEFORE + hash)
		: key;
