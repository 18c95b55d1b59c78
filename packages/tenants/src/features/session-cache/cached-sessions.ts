import type { AuthContext } from "@better-auth/core";
import { queueAfterTransactionHook } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import * as z from "zod";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { storageKey } from "../../scope/data/storage.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import { valuesIn } from "../../scope/sessions/ended-copies.ts";
import type { SessionCache } from "./session-cache.ts";

/** Other values may be in the same store. */
const PREFIX = "session:";

type Row = Record<string, unknown>;
type Query = Parameters<ScopedMethods["findOne"]>[0];
type Written = { model: string; where?: Where[] };
type With = {
	cache: SessionCache;
	pin: Pick<TenantContext, "current">;
	tables: AuthContext["tables"];
	/** the engine's own name of a table */
	tableOf: (model: string) => string;
	/** inside of a transaction, only the database knows what it wrote */
	inTransaction: () => boolean;
	/** throws in a tenant of `runWithTenant` that is not open */
	assertOpen: () => Promise<void> | undefined;
	/** milliseconds */
	now?: () => number;
};

/** More than a user with all fields of the official plugins has. Larger copies would cost more than they save. */
const MOST_CHARACTERS = 32_768;

/** Sessions of one change whose copies are deleted. Those of others end with the next look. */
const MOST_SESSIONS = 100;

/** Where a table names the user. */
const OWNER_OF: Record<string, string> = { session: "userId", user: "id" };

const copy = z.object({
	stamp: z.string(),
	/** the key that it was kept under */
	of: z.string(),
	session: z.looseObject({ userId: z.string(), expiresAt: z.iso.datetime() }),
	user: z.looseObject({ id: z.string() }),
});

/**
 * Reads sessions from copies where those are as good as the database. The engine knows nothing of it: it reads a session by its token,
 * with its user, and writes to the database only. So no endpoint and no plugin can leave a copy that outlasts what it is a copy of.
 */
export const cacheSessions = ({ cache, pin, tables, tableOf, inTransaction, assertOpen, now = Date.now }: With) => {
	const { store } = cache;
	const datesOf = (key: string): string[] =>
		Object.entries(tables[key]?.fields ?? {}).flatMap(([name, { type }]) => (type === "date" ? [name] : []));
	const dates = { session: datesOf("session"), user: datesOf("user") };
	const keyOf = (token: string): string => storageKey(pin.current(), `${PREFIX}${token}`);

	/** The copy, if it may be used now. */
	const find = async (token: string): Promise<Row | null> => {
		if (cache.stamp() === null) return null;
		const stored = await store.get(keyOf(token)).catch(() => null);
		const found = stored === null ? null : parse(stored);
		if (!found || new Date(found.session.expiresAt).getTime() <= now()) return null;
		// whatever the store has under the key, which names the tenant and the session
		if (found.of !== keyOf(token)) return null;
		// after the answer: it may have taken long
		const copied = { tenantId: pin.current(), userId: found.session.userId, stamp: found.stamp };
		if (!cache.isCurrent(copied)) return null;
		return { ...withDates(found.session, dates.session), token, user: withDates(found.user, dates.user) };
	};

	const keep = (found: Row, token: string, stamp: string): void => {
		const { user, token: _known, ...session } = found;
		// a copy that JSON would change is none
		if (!isObject(user) || !survives(session, dates.session) || !survives(user, dates.user)) return;
		const value = JSON.stringify({ stamp, of: keyOf(token), session, user });
		// nobody waits for it, and whether it arrives changes nothing
		if (value.length <= MOST_CHARACTERS) void store.set(keyOf(token), value, cache.maxAge).catch(() => {});
	};

	/** Where the copies are of the sessions that a write changes, or whose user it changes. Read before, while ended ones are there. */
	const keysOf = async (methods: ScopedMethods, { model, where = [] }: Written): Promise<string[]> => {
		const table = tableOf(model);
		const owner = OWNER_OF[table];
		if (!owner) return [];
		const tokens = table === "session" ? valuesIn(where, "token") : [];
		if (tokens.length > 0) return tokens.map(keyOf);
		const users = valuesIn(where, owner);
		if (users.length === 0 || cache.stamp() === null) return [];
		const sessions = await methods.findMany<{ token: string }>({
			model: "session",
			where: [{ field: "userId", operator: "in", value: users }],
			limit: MOST_SESSIONS,
			select: ["token"],
		});
		return sessions.map(({ token }) => keyOf(token));
	};

	/**
	 * Without the copies, other processes see the change with the next request, as those expect who made it. If that fails, or if copies
	 * come back, they see it with their next look.
	 */
	const drop = async (keys: string[]): Promise<void> => {
		await Promise.all(keys.map((key) => store.delete(key).catch(() => {})));
	};

	const dropping =
		(methods: ScopedMethods) =>
		<Query extends Written, Result>(write: (query: Query) => Promise<Result>) =>
		async (query: Query): Promise<Result> => {
			const keys = await keysOf(methods, query);
			const result = await write(query);
			if (keys.length > 0) await queueAfterTransactionHook(() => drop(keys));
			return result;
		};

	return (methods: ScopedMethods): ScopedMethods => {
		const after = dropping(methods);
		return {
			...methods,
			findOne: async <Found>(query: Query) => {
				const token = tableOf(query.model) === "session" && !inTransaction() ? tokenOf(query) : null;
				if (token === null) return methods.findOne<Found>(query);
				await assertOpen();
				const copied = await find(token);
				if (copied) return copied as Found;
				// before the database is read: what changes meanwhile is newer than the copy
				const stamp = cache.stamp();
				const found = await methods.findOne<Found>(query);
				if (found && stamp !== null) keep(found as Row, token, stamp);
				return found;
			},
			update: after(methods.update) as ScopedMethods["update"],
			updateMany: after(methods.updateMany),
			delete: after(methods.delete),
			deleteMany: after(methods.deleteMany),
			consumeOne: after(methods.consumeOne) as ScopedMethods["consumeOne"],
			incrementOne: after(methods.incrementOne) as ScopedMethods["incrementOne"],
		};
	};
};

const parse = (stored: string): z.infer<typeof copy> | null => {
	try {
		return copy.safeParse(JSON.parse(stored)).data ?? null;
	} catch {
		return null;
	}
};

const isObject = (value: unknown): value is Row => typeof value === "object" && value !== null;

/** Whether a row is the same after it was written as JSON and read again. */
const survives = (row: Row, dates: string[]): boolean =>
	Object.entries(row).every(([name, value]) =>
		dates.includes(name) ? value == null || (value instanceof Date && !Number.isNaN(value.getTime())) : isJson(value),
	);

const isJson = (value: unknown): boolean => {
	if (!isObject(value))
		return ["string", "boolean", "undefined"].includes(typeof value) || value === null || Number.isFinite(value);
	const prototype: unknown = Object.getPrototypeOf(value);
	if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false;
	return Object.values(value).every((inner) => inner !== undefined && isJson(inner));
};

const withDates = (row: Row, names: string[]): Row => {
	const revived = { ...row };
	for (const name of names) if (typeof revived[name] === "string") revived[name] = new Date(revived[name]);
	return revived;
};

/** The token of a query for one session with its user, and for nothing else. */
const tokenOf = ({ where, select, join }: Query): string | null => {
	const [condition, ...others] = where;
	if (!condition || others.length > 0 || select || !join || Object.keys(join).join() !== "user") return null;
	const { field, value, operator = "eq" } = condition;
	return field === "token" && operator === "eq" && typeof value === "string" ? value : null;
};
