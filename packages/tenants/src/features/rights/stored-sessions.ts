import { getCurrentAdapter } from "@better-auth/core/context";
import type { SecondaryStorage } from "@better-auth/core/db";
import { API_KEYS } from "../../engine/api-key-storage.ts";
import type { StorageGuardParts } from "../../scope/compose/companion.ts";
import { VERIFICATION } from "../../scope/data/storage.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { isSessionToken } from "../../scope/sessions/impersonated-session.ts";
import type { Row } from "./epoch.ts";
import { holdActors } from "./hold-actors.ts";
import { holds, keyOf, rightsNow, see } from "./request-rights.ts";

/**
 * Lets the database decide who the user of a stored session is. The storage has a copy of the user in each session, and a list of
 * a user's sessions that loses entries when two are written at once. So a session is returned with the user of the database, if it
 * was made in their current epoch. Costs one query per session check.
 *
 * Also ties verifications and API keys in the storage to the rights of whoever writes them.
 */
export const guardStoredRights = (storage: SecondaryStorage, { pin, adapter }: StorageGuardParts): SecondaryStorage => {
	const findUser = async (id: string): Promise<Row | null> =>
		(await getCurrentAdapter(adapter())).findOne<Row>({ model: "user", where: [{ field: "id", value: id }] });

	/** The user of a session, read once per request. */
	const userOf = async (session: Row): Promise<Row | null> => {
		const rights = rightsNow();
		const key = keyOf(pin.current(), session.userId);
		const known = rights?.users.get(key);
		if (known) return known;
		const user = await findUser(String(session.userId));
		if (user) rights?.users.set(key, user);
		return user;
	};

	const admitted = async (stored: unknown): Promise<unknown> => {
		const value = sessionIn(stored);
		const user = value && (await userOf(value.session));
		const rights = rightsNow();
		if (!user || !holds(rights, pin.current(), value.session, user)) return null;
		if (rights) see(rights, pin.current(), user, { isVouched: true });
		return JSON.stringify({ ...value, user });
	};

	const judge = async (key: string, stored: unknown): Promise<unknown> =>
		stored == null || pin.current() === PLATFORM || !isSessionToken(key) ? stored : admitted(stored);

	return {
		...storage,
		get: async (key) => {
			// a request may begin with a code or a link
			rightsNow();
			return judge(key, await storage.get(key));
		},
		getAndDelete: async (key) => {
			rightsNow();
			return judge(key, await storage.getAndDelete(key));
		},
		set: async (key, value, ttl) => {
			await storage.set(key, value, ttl);
			if (pin.current() === PLATFORM || !(key.startsWith(VERIFICATION) || key.startsWith(API_KEYS))) return;
			try {
				// after the write, and waiting for an end that is under way: one of both sees the other
				await holdActors(await getCurrentAdapter(adapter()), pin.current());
			} catch (error) {
				await storage.delete(key);
				throw error;
			}
		},
	};
};

type StoredSession = { session: Row; user?: Row };

const sessionIn = (stored: unknown): StoredSession | null => {
	try {
		const value = (typeof stored === "string" ? JSON.parse(stored) : stored) as Partial<StoredSession> | null;
		return value?.session ? { ...value, session: value.session } : null;
	} catch {
		return null;
	}
};
