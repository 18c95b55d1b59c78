import type { BetterAuthOptions } from "@better-auth/core";
import type { SecondaryStorage } from "@better-auth/core/db";
import { storageKey } from "../../scope/data/storage.ts";
import {
	readSessionTokens,
	revocationTtl,
	revokeSessions,
	sessionListKey,
} from "../../scope/sessions/stored-sessions.ts";
import { inGroups } from "./stored-values.ts";

type EndWith = {
	/** the engine's own storage, unscoped */
	storage: SecondaryStorage | undefined;
	/** read at each move, because later plugins may add options */
	options: () => BetterAuthOptions;
};

export type SessionEnd = ReturnType<typeof createSessionEnd>;

/** Ends sessions in the secondary storage of a tenant: those of users, and others by their tokens. */
export const createSessionEnd =
	({ storage, options }: EndWith) =>
	async (tenantId: string, userIds: string[], tokens: string[]): Promise<void> => {
		if (!storage) return;
		const ttl = revocationTtl(options());
		await inGroups(userIds, async (userId) => {
			// first: the list may lack sessions, because parallel sign-ins overwrite each other's entries
			await revokeSessions(storage, { tenantId, userId, ttl });
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
