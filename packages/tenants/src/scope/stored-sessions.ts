import { storageKey } from "./storage.ts";

/** The key of the engine's list of a user's sessions in the secondary storage. */
export const sessionListKey = (tenantId: string, userId: string): string =>
	storageKey(tenantId, `active-sessions-${userId}`);

/** Reads the tokens of such a list. A storage may return a text or the parsed value. */
export const readSessionTokens = (list: unknown): string[] => {
	try {
		const entries: unknown = typeof list === "string" ? JSON.parse(list) : list;
		return Array.isArray(entries)
			? entries.flatMap((entry) => (typeof entry?.token === "string" ? [entry.token] : []))
			: [];
	} catch {
		return [];
	}
};
