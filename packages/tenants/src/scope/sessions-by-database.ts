import type { BetterAuthOptions } from "@better-auth/core";
import { defineRequestState, getCurrentAdapter, hasRequestState } from "@better-auth/core/context";
import type { SecondaryStorage } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { isSessionToken } from "./impersonated-session.ts";
import { isOutage } from "./outage.ts";
import { readSessionList, SESSION_LIST, type SessionReference } from "./stored-sessions.ts";

type Row = SessionRow & { user?: object | null };
type SessionRow = { token: string; expiresAt: Date };

/** More sessions than a user has. The engine's default would cut the list at 100. */
const MOST_SESSIONS = 1_000;

/** The user for whom this request creates a session. */
const creatingFor = defineRequestState<string | null>(() => null);

/** Sessions that this request read from the database, by token, as the engine stores them in the storage. */
const read = defineRequestState<Map<string, string>>(() => new Map());

/** Call it before the engine creates a session: it then adds the session to the list of the storage. */
export const willCreateSession = async (userId: string): Promise<void> => {
	if (await hasRequestState()) await creatingFor.set(userId);
};

/** Whether the database has every session that the storage has. It also has ended ones with `preserveSessionInDatabase`. */
export const areInDatabase = (session: BetterAuthOptions["session"]): boolean =>
	session?.storeSessionInDatabase === true && session.preserveSessionInDatabase !== true;

/**
 * Lets the database decide which sessions exist, for `storeSessionInDatabase`. The engine reads sessions from the storage and
 * the list of a user's sessions only from there. So while the storage is down, no session could be checked, and after it lost
 * its data, "sign out everywhere else" would end nothing and report success.
 *
 * A session that the storage does not return is read from the database by the engine. The list contains what either of the two has:
 * a session that is only in the storage could not be ended otherwise.
 */
export const sessionsByDatabase = (storage: SecondaryStorage, adapter: DBAdapter): SecondaryStorage => {
	const readRows = async (userId: string): Promise<Row[]> =>
		(await getCurrentAdapter(adapter)).findMany<Row>({
			model: "session",
			where: [
				{ field: "userId", value: userId },
				{ field: "expiresAt", value: new Date(), operator: "gt" },
			],
			limit: MOST_SESSIONS,
			join: { user: true },
		});

	const getSession = async (token: string): Promise<unknown> => {
		try {
			const stored: unknown = await storage.get(token);
			if (stored) return stored;
		} catch (error) {
			if (!isOutage(error)) throw error;
		}
		return (await hasRequestState()) ? ((await read.get()).get(token) ?? null) : null;
	};

	const getList = async (key: string): Promise<unknown> => {
		const userId = key.slice(SESSION_LIST.length);
		// throws while the storage is down: whoever ends sessions must also end them there
		const stored: unknown = await storage.get(key);
		if (stored && (await isForNewSession(userId))) return stored;
		const rows = await readRows(userId);
		await remember(rows);
		return JSON.stringify(
			mergeLists(
				readSessionList(stored),
				rows.map(({ token, expiresAt }) => ({ token, expiresAt: expiresAt.getTime() })),
			),
		);
	};

	return {
		...storage,
		get: async (key) => {
			if (isSessionToken(key)) return getSession(key);
			return key.startsWith(SESSION_LIST) ? getList(key) : storage.get(key);
		},
		set: async (key, value, ttl) => {
			await forget(key);
			await storage.set(key, value, ttl);
		},
		delete: async (key) => {
			await forget(key);
			await storage.delete(key);
		},
	};
};

/** Whether the engine reads the list to add a new session to it. True once for each new session. */
const isForNewSession = async (userId: string): Promise<boolean> => {
	if (!(await hasRequestState()) || (await creatingFor.get()) !== userId) return false;
	await creatingFor.set(null);
	return true;
};

const remember = async (rows: Row[]): Promise<void> => {
	if (!(await hasRequestState())) return;
	const known = await read.get();
	for (const { user, ...session } of rows) if (user) known.set(session.token, JSON.stringify({ session, user }));
};

const forget = async (key: string): Promise<void> => {
	if (await hasRequestState()) (await read.get()).delete(key);
};

const mergeLists = (...lists: SessionReference[][]): SessionReference[] => [
	...new Map(lists.flat().map((reference) => [reference.token, reference])).values(),
];
