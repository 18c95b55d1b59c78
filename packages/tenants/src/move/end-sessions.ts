import type { SecondaryStorage } from "@better-auth/core/db";
import { storageKey } from "../scope/storage.ts";
import { readSessionTokens, sessionListKey } from "../scope/stored-sessions.ts";
import { inGroups } from "./stored-values.ts";

/** Deletes the sessions of users in the secondary storage of a tenant. Returns their tokens. */
export const endStoredSessions = async (
	storage: SecondaryStorage | undefined,
	tenantId: string,
	userIds: string[],
): Promise<string[]> => {
	if (!storage) return [];
	return inGroups(userIds, async (userId) => {
		const listKey = sessionListKey(tenantId, userId);
		const tokens = readSessionTokens(await storage.get(listKey));
		// the list last: after an interruption, it still contains the remaining sessions
		await Promise.all(tokens.map((token) => storage.delete(storageKey(tenantId, token))));
		await storage.delete(listKey);
		return tokens;
	});
};
