import type { SecondaryStorage } from "@better-auth/core/db";
import { storageKey } from "../scope/storage.ts";
import { readSessionTokens, sessionListKey } from "../scope/stored-sessions.ts";
import { inGroups } from "./stored-values.ts";

/** Deletes sessions in the secondary storage of a tenant: those of users, and others by their tokens. */
export const endStoredSessions = async (
	storage: SecondaryStorage | undefined,
	tenantId: string,
	userIds: string[],
	tokens: string[],
): Promise<void> => {
	if (!storage) return;
	await inGroups(userIds, async (userId) => {
		const listKey = sessionListKey(tenantId, userId);
		const listed = readSessionTokens(await storage.get(listKey));
		// the list last: after an interruption, it still contains the remaining sessions
		await Promise.all(listed.map((token) => storage.delete(storageKey(tenantId, token))));
		await storage.delete(listKey);
		return [];
	});
	await inGroups(tokens, async (token) => {
		await storage.delete(storageKey(tenantId, token));
		return [];
	});
};
