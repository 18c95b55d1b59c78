import type { BetterAuthOptions } from "@better-auth/core";
import { getCurrentAdapter, tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { SecondaryStorage } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { SESSION_CHECK } from "../../endpoints/session-endpoints.ts";
import { storageKey } from "../data/storage.ts";
import { isOutage } from "../pin/outage.ts";
import { definePart } from "../pin/request-record.ts";
import type { TenantContext } from "../pin/tenant-context.ts";
import { isSessionToken } from "./impersonated-session.ts";
import { readSessionList, SESSION_LIST, type SessionReference } from "./stored-sessions.ts";

type Row = { token: string; expiresAt: Date; updatedAt: Date; impersonatedBy?: unknown };

/** A session with its user, and whether the engine got it from here. */
type Remembered = { session: Row; user: () => Promise<object | null>; isHanded: boolean };

/** Sessions that this request read from the database, by tenant and token. */
const read = definePart<Map<string, Remembered>>(() => new Map());

/** Whether the database has every session that the storage has. It also has ended ones with `preserveSessionInDatabase`. */
export const areInDatabase = (session: BetterAuthOptions["session"]): boolean =>
	session?.storeSessionInDatabase === true && session.preserveSessionInDatabase !== true;

/**
 * Lets the database decide which sessions exist, for `storeSessionInDatabase`. The engine reads sessions from the storage and
 * the list of a user's sessions only from there. So while the storage is down, no session could be checked, and after it lost
 * its data, "sign out everywhere else" would end nothing and report success.
 *
 * A session that the storage does not return is read from the database by the engine. The list contains what either of the two has:
 * a session that is only in the storage could not be ended otherwise. This holds for every endpoint, because any plugin may end a
 * user's sessions or change the copies of the user, for example to take away a role.
 */
export const sessionsByDatabase = (
	storage: SecondaryStorage,
	adapter: DBAdapter,
	pin: Pick<TenantContext, "current">,
): SecondaryStorage => {
	const { remember, recall, handOut, forget } = createMemory(adapter, pin);

	const readRows = async (userId: string): Promise<Row[]> =>
		(await getCurrentAdapter(adapter)).findMany<Row>({
			model: "session",
			where: [
				{ field: "userId", value: userId },
				{ field: "expiresAt", value: new Date(), operator: "gt" },
			],
		});

	const getSession = async (token: string): Promise<unknown> => {
		try {
			const stored: unknown = await storage.get(token);
			if (stored == null) return await handOut(token);
			// the engine may replace what the storage has, for example with a changed user
			forget(token);
			return stored;
		} catch (error) {
			if (!isOutage(error) || currentPath() !== SESSION_CHECK) throw error;
			return null;
		}
	};

	const getList = async (key: string): Promise<unknown> => {
		// throws while the storage is down: whoever ends sessions must also end them there
		const stored: unknown = await storage.get(key);
		// refreshes one session, and ends none
		if (currentPath() === SESSION_CHECK) return stored;
		const userId = key.slice(SESSION_LIST.length);
		const rows = await readRows(userId);
		remember(userId, rows);
		return JSON.stringify(
			mergeLists(
				readSessionList(stored),
				rows.map(({ token, expiresAt, updatedAt, impersonatedBy }) => ({
					token,
					expiresAt: expiresAt.getTime(),
					since: updatedAt.getTime(),
					...(impersonatedBy == null ? {} : { isImpersonated: true }),
				})),
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
			// it may have ended since it was read from the database, where it is anyway; a new session was not read
			if (recall(key)?.isHanded) await storage.delete(key);
			else await storage.set(key, value, ttl);
		},
		delete: async (key) => {
			forget(key);
			await storage.delete(key);
		},
	};
};

/** What a request read from the database, so that the engine does not read it again. */
const createMemory = (adapter: DBAdapter, pin: Pick<TenantContext, "current">) => {
	const own = (token: string): string => storageKey(pin.current(), token);

	/** The engine would look up the user of a join for each row again, and most requests need none. */
	const userOnce = (userId: string): (() => Promise<object | null>) => {
		let found: Promise<object | null> | undefined;
		return () => {
			found ??= getCurrentAdapter(adapter).then(({ findOne }) =>
				findOne<object>({ model: "user", where: [{ field: "id", value: userId }] }),
			);
			return found;
		};
	};

	const remember = (userId: string, rows: Row[]): void => {
		const known = read.now();
		if (!known) return;
		const user = userOnce(userId);
		for (const session of rows) {
			const { isHanded = false } = known.get(own(session.token)) ?? {};
			known.set(own(session.token), { session, user, isHanded });
		}
	};

	/** What this request read of a session that the storage does not have. */
	const recall = (token: string): Remembered | null => read.peek()?.get(own(token)) ?? null;

	const handOut = async (token: string): Promise<string | null> => {
		const remembered = recall(token);
		const user = await remembered?.user();
		if (!remembered || !user) return null;
		remembered.isHanded = true;
		return JSON.stringify({ session: remembered.session, user });
	};

	const forget = (token: string): void => {
		read.peek()?.delete(own(token));
	};

	return { remember, recall, handOut, forget };
};

const currentPath = (): string | undefined => tryGetCurrentAuthEndpointContext()?.path;

const mergeLists = (...lists: SessionReference[][]): SessionReference[] => [
	...new Map(lists.flat().map((reference) => [reference.token, reference])).values(),
];
