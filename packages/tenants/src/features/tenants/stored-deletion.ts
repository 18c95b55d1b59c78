import type { SecondaryStorage } from "@better-auth/core/db";
import { findKeys } from "../../scope/data/key-scan.ts";
import { storageKey, storagePrefix } from "../../scope/data/storage.ts";
import { readSessionTokens, sessionListKey } from "../../scope/sessions/stored-sessions.ts";
import type { Closing } from "./closing.ts";

/** Keys that are processed in parallel: enough to hide latency, few enough not to delay other requests. */
const STORAGE_BATCH = 20;

/** Deletes the sessions in the secondary storage. They are found by user id. */
export const endStoredSessions = async (
	storage: SecondaryStorage,
	{ tenantId, isSame }: Closing,
	userIds: string[],
): Promise<void> => {
	for (let first = 0; first < userIds.length; first += STORAGE_BATCH) {
		const listKeys = userIds.slice(first, first + STORAGE_BATCH).map((userId) => sessionListKey(tenantId, userId));
		const lists = await Promise.all(listKeys.map((key) => storage.get(key)));
		if (!(await isSame())) return;
		const tokenKeys = lists.flatMap(readSessionTokens).map((token) => storageKey(tenantId, token));
		// the lists last: after an interruption, they still contain the remaining sessions
		await Promise.all(tokenKeys.map((key) => storage.delete(key)));
		await Promise.all(listKeys.map((key) => storage.delete(key)));
	}
};

/**
 * Deletes the other keys of the tenant, such as pending flows, page by page, if the storage can find or list its keys.
 * In other storages these keys expire. No request can reach them, because the tenant is closed.
 */
export const sweepStorage = async (
	storage: SecondaryStorage | undefined,
	{ tenantId, isSame }: Closing,
): Promise<void> => {
	const pages = storage && findKeys(storage, storagePrefix(tenantId));
	if (!pages) return;
	for await (const keys of pages) {
		// a new tenant with this id may have stored something since
		if (!(await isSame())) return;
		for (let first = 0; first < keys.length; first += STORAGE_BATCH)
			await Promise.all(keys.slice(first, first + STORAGE_BATCH).map((key) => storage.delete(key)));
	}
};
