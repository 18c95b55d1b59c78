import type { AuthContext } from "@better-auth/core";
import { queueAfterTransactionHook } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import * as z from "zod";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { storageKey } from "../../scope/data/storage.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import { tokensIn } from "../../scope/sessions/ended-copies.ts";
import type { SessionCache } from "./session-cache.ts";

type Row = Record<string, unknown>;
type Query = Parameters<ScopedMethods["findOne"]>[0];
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

const copy = z.object({
	readAt: z.number(),
	session: z.looseObject({ tenantId: z.string(), userId: z.string(), expiresAt: z.iso.datetime() }),
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
	const keyOf = (token: string): string => storageKey(pin.current(), token);

	/** The copy, if it may be used now. */
	const find = async (token: string): Promise<Row | null> => {
		if (cache.readAt() === null) return null;
		const stored = await store.get(keyOf(token)).catch(() => null);
		const found = stored === null ? null : parse(stored);
		if (!found || new Date(found.session.expiresAt).getTime() <= now()) return null;
		// whatever the store has under the key
		if (found.session.tenantId !== pin.current()) return null;
		// after the answer: it may have taken long
		const copied = { tenantId: pin.current(), userId: found.session.userId, readAt: found.readAt };
		if (!cache.isCurrent(copied)) return null;
		return { ...withDates(found.session, dates.session), token, user: withDates(found.user, dates.user) };
	};

	const keep = (found: Row, token: string, readAt: number): void => {
		const { user, token: _known, ...session } = found;
		const value = JSON.stringify({ readAt, session, user });
		// nobody waits for it, and whether it arrives changes nothing
		if (user && value.length <= MOST_CHARACTERS) void store.set(keyOf(token), value, cache.maxAge).catch(() => {});
	};

	const changes = (model: string): boolean => ["user", "session"].includes(tableOf(model));
	/** Before the request goes on, and before anybody who waits for its response does. */
	const follow = async (model: string, where: Where[] = []): Promise<void> => {
		if (!changes(model)) return;
		const tokens = tableOf(model) === "session" ? tokensIn(where) : [];
		await queueAfterTransactionHook(async () => {
			await cache.follow();
			// other processes see a sign-out at once. If it fails, they see it with their next look
			for (const token of tokens) void store.delete(keyOf(token)).catch(() => {});
		});
	};

	const followed =
		<Written extends { model: string; where?: Where[] }, Result>(write: (query: Written) => Promise<Result>) =>
		async (query: Written): Promise<Result> => {
			const result = await write(query);
			await follow(query.model, query.where);
			return result;
		};

	return (methods: ScopedMethods): ScopedMethods => ({
		...methods,
		findOne: async <Found>(query: Query) => {
			const token = tableOf(query.model) === "session" && !inTransaction() ? tokenOf(query) : null;
			if (token === null) return methods.findOne<Found>(query);
			await assertOpen();
			const copied = await find(token);
			if (copied) return copied as Found;
			// before the database is read: what changes meanwhile is newer than the copy
			const readAt = cache.readAt();
			const found = await methods.findOne<Found>(query);
			if (found && readAt !== null) keep(found as Row, token, readAt);
			return found;
		},
		update: followed(methods.update) as ScopedMethods["update"],
		updateMany: followed(methods.updateMany),
		incrementOne: followed(methods.incrementOne) as ScopedMethods["incrementOne"],
		delete: followed(methods.delete),
		deleteMany: followed(methods.deleteMany),
		consumeOne: followed(methods.consumeOne) as ScopedMethods["consumeOne"],
	});
};

const parse = (stored: string): z.infer<typeof copy> | null => {
	try {
		return copy.safeParse(JSON.parse(stored)).data ?? null;
	} catch {
		return null;
	}
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
