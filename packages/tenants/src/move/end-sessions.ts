import type { SecondaryStorage } from "@better-auth/core/db";
import { storageKey } from "../scope/storage.ts";
import { inGroups, parseJson } from "./stored-values.ts";

/** Deletes the sessions of users in the secondary storage of a tenant. Returns their tokens. */
export const endStoredSessions = async (
	storage: SecondaryStorage | undefined,
	tenantId: string,
	userIds: string[],
): Promise<string[]> => {
	if (!storage) return [];
	return inGroups(userIds, async (userId) => {
		const listKey = storageKey(tenantId, `active-sessions-${userId}`);
		const tokens = readTokens(await storage.get(listKey));
		// the list last: after an interruption, it still contains the remaining sessions
		await Promise.all(tokens.map((token) => storage.delete(storageKey(tenantId, token))));
		await storage.delete(listKey);
		return tokens;
	});
};

const readTokens = (list: unknown): string[] => {
	const entries = parseJson(list);
	return Array.isArray(entries)
		? entries.flatMap((entry) => (typeof entry?.token === "string" ? [entry.token] : []))
		: [];
};
