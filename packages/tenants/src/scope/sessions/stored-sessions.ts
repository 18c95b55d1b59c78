import type { BetterAuthOptions } from "@better-auth/core";
import type { SecondaryStorage } from "@better-auth/core/db";
import { revocationKey } from "../../engine/revocation-time.ts";
import { engineKey, storageKey } from "../data/storage.ts";

/** The beginning of the engine's keys for lists of a user's sessions in the secondary storage. The user's id follows. */
export const SESSION_LIST = "active-sessions-";

/** The key of the list of a user's sessions. */
export const sessionListKey = (tenantId: string, userId: string): string =>
	storageKey(tenantId, `${SESSION_LIST}${userId}`);

/** An entry of such a list. Times are in milliseconds. */
export type SessionReference = {
	token: string;
	expiresAt: number;
	/** when the session was created or renewed; added by this package, and lost when the engine renews an entry */
	since?: number;
	/** an operator or an administrator acts as the user; added by this package */
	isImpersonated?: boolean;
};

/** Reads such a list. A storage may return a text or the parsed value. */
export const readSessionList = (list: unknown): SessionReference[] => {
	try {
		const entries: unknown = typeof list === "string" ? JSON.parse(list) : list;
		return Array.isArray(entries)
			? entries.flatMap((entry) => (typeof entry?.token === "string" ? [readReference(entry)] : []))
			: [];
	} catch {
		return [];
	}
};

const readReference = (entry: { token: string } & Record<string, unknown>): SessionReference => ({
	token: entry.token,
	expiresAt: Number(entry.expiresAt),
	...(typeof entry.since === "number" ? { since: entry.since } : {}),
	...(typeof entry.isImpersonated === "boolean" ? { isImpersonated: entry.isImpersonated } : {}),
});

/** The tokens of such a list. */
export const readSessionTokens = (list: unknown): string[] => readSessionList(list).map(({ token }) => token);

type Revoked = { tenantId: string; userId: string; ttl: number };

/**
 * Makes the engine reject every session of a user that the secondary storage has until now, also those that are missing
 * in the list. The engine compares this time, in milliseconds, with the time a session was created. 1.7.7 does not read
 * it.
 */
export const revokeSessions = async (storage: SecondaryStorage, { tenantId, userId, ttl }: Revoked): Promise<void> => {
	const key = await engineKey(tenantId, revocationKey(userId));
	const previous = Number(await storage.get(key)) || 0;
	await storage.set(key, String(Math.max(previous, Date.now())), ttl);
};

const WEEK = 604_800;
const DAY = 86_400;

/** How long a session of the storage can last, in seconds, as the engine computes it for the same key. */
export const revocationTtl = ({ session, plugins }: Pick<BetterAuthOptions, "session" | "plugins">): number => {
	const admin: unknown = plugins?.find(({ id }) => id === "admin")?.options?.impersonationSessionDuration;
	return Math.max(session?.expiresIn || WEEK, DAY, Number(admin) || 0);
};
