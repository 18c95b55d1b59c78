import type { SecondaryStorage } from "@better-auth/core/db";
import { storageKey } from "../data/storage.ts";
import { definePart } from "../pin/request-record.ts";
import type { TenantContext } from "../pin/tenant-context.ts";
import { readSessionList, SESSION_LIST, type SessionReference } from "./stored-sessions.ts";

/** Seconds that a list may be locked. Only a process that ends meanwhile leaves it locked. */
const LOCKED = 2;
/** Milliseconds between two looks at a lock. */
const LOOK = 5;

const lockKey = (list: string): string => `limit.lock:${list}`;

/**
 * Keeps the lists of sessions whole that Better Auth has in a storage alone. It reads a list, changes it and writes it again, so of
 * two sign-ins at the same time one would lose its entry: a session that nobody sees, that no limit counts, and that only its epoch
 * ends.
 *
 * What a request writes is therefore applied to what is stored by then: the entries that it added and removed, compared with what
 * it had read. A lock of the list lets them do so in turn. Costs three calls per change of a list: one to lock, one to read, one to
 * unlock.
 */
export const keepListsWhole = (storage: SecondaryStorage, pin: Pick<TenantContext, "current">): SecondaryStorage => {
	/** the lists that a request has read, by tenant, as it read them last */
	const lists = definePart<Map<string, SessionReference[]>>(() => new Map());
	const own = (list: string): string => storageKey(pin.current(), list);

	const inTurn = async (list: string, change: () => Promise<void>): Promise<void> => {
		const last = Date.now() + LOCKED * 1_000;
		while ((await storage.increment(lockKey(list), LOCKED)) !== 1 && Date.now() < last)
			await new Promise((resolve) => setTimeout(resolve, LOOK));
		try {
			await change();
		} finally {
			await storage.delete(lockKey(list));
		}
	};

	/** Writes a list with what others have changed since this request read it. */
	const write = async (list: string, { known, wanted }: Omit<Changes, "stored">, ttl = 0): Promise<void> => {
		const stored = readSessionList(await storage.get(list));
		const entries = mergeChanges({ known, wanted, stored });
		const left = Math.ceil((Math.max(0, ...entries.map(({ expiresAt }) => expiresAt)) - Date.now()) / 1_000);
		if (entries.length === 0) await storage.delete(list);
		else await storage.set(list, JSON.stringify(entries), Math.max(ttl, left, 1));
	};
	/** What this request has read. Undefined if it has not, and decides on nothing else. */
	const knownOf = (key: string): SessionReference[] | undefined => lists.peek()?.get(own(key));

	return {
		...storage,
		get: async (key) => {
			const value: unknown = await storage.get(key);
			if (key.startsWith(SESSION_LIST)) lists.now()?.set(own(key), readSessionList(value));
			return value;
		},
		set: async (key, value, ttl) => {
			const known = knownOf(key);
			if (known) await inTurn(key, () => write(key, { known, wanted: readSessionList(value) }, ttl));
			else await storage.set(key, value, ttl);
		},
		delete: async (key) => {
			const known = knownOf(key);
			if (known) await inTurn(key, () => write(key, { known, wanted: [] }));
			else await storage.delete(key);
		},
	};
};

type Changes = {
	/** what the request had read */
	known: SessionReference[];
	/** what it writes */
	wanted: SessionReference[];
	/** what is stored by now */
	stored: SessionReference[];
};

/**
 * Applies what one request changed of a list to what others have made of it: an entry that it did not change is as others left it.
 * The one that expires first comes first.
 */
export const mergeChanges = ({ known, wanted, stored }: Changes): SessionReference[] => {
	const [before, now] = [endsOf(known), endsOf(stored)];
	const mine = wanted
		.filter(({ token }) => !before.has(token) || now.has(token))
		.map((entry) => {
			const { token, expiresAt } = entry;
			return before.get(token) === expiresAt ? { ...entry, expiresAt: now.get(token) ?? expiresAt } : entry;
		});
	const added = stored.filter(({ token }) => !before.has(token) && !mine.some((one) => one.token === token));
	return [...mine, ...added].sort((one, other) => one.expiresAt - other.expiresAt);
};

/** When the sessions of a list end, by token. */
const endsOf = (entries: SessionReference[]): Map<string, number> =>
	new Map(entries.map(({ token, expiresAt }) => [token, expiresAt]));
