import type { Where } from "@better-auth/core/db/adapter";
import type { UserGuardParts } from "../../scope/compose/companion.ts";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { type Change, createUserChange } from "./change-users.ts";
import { createDeviceCodes } from "./device-codes.ts";
import type { Row } from "./epoch.ts";
import { createHold, type Query } from "./hold-users.ts";
import { forget, holds, keyOf, type RequestRights, rightsNow, see } from "./request-rights.ts";

/**
 * Ties every way in to the rights of its user, where every read and write passes: the adapter. A user has an epoch that is replaced
 * by what ends rights: a ban, the end of all sessions, an invitation that raises the role.
 *
 * - A session from before the current epoch is not found. Better Auth reads it with its user, so this costs nothing.
 * - A change of a user requires the epoch that the request saw first. That is one more condition, and no query.
 * - A way in (a passkey, an API key, a linked account, a code) is written in a transaction that locks its user, and the user who
 *   acts, if they still have the epoch that the request saw first. Costs one query. To delete one locks the user who acts.
 *
 * What ends rights replaces the epoch before it deletes ways in, in one transaction. So one of both waits for the other: a write
 * that came first is deleted, and one that comes second is refused.
 */
export const guardRights =
	(parts: UserGuardParts) =>
	(methods: ScopedMethods): ScopedMethods => {
		const hold = createHold(methods, parts);
		const codes = createDeviceCodes(methods, parts);
		const guards: Guards = {
			...parts,
			hold,
			change: createUserChange(methods, parts, hold, codes),
			rightsHere: async () => (parts.pin.current() === PLATFORM ? undefined : rightsNow()),
		};
		return {
			...methods,
			...guardedReads(methods, guards),
			...guardedWrites(methods, guards),
			...guardedDeletions(methods, guards, codes),
		};
	};

type Guards = Pick<UserGuardParts, "pin" | "inTransaction" | "isUsers" | "linksOf"> & {
	hold: ReturnType<typeof createHold>;
	change: ReturnType<typeof createUserChange>;
	/** what the request knows. Undefined on the platform */
	rightsHere: () => Promise<RequestRights | undefined>;
};

const guardedReads = (
	methods: ScopedMethods,
	{ pin, linksOf, rightsHere }: Guards,
): Pick<ScopedMethods, "findOne" | "findMany" | "consumeOne"> => {
	/** Remembers the users that a query returned, and drops sessions that do not hold. */
	const admitted = <Found>(rights: RequestRights | undefined, { model, where }: Query, rows: Found[]): Found[] => {
		const { key } = linksOf(model);
		const tenantId = pin.current();
		if (key === "user" && rights) for (const row of rows) see(rights, tenantId, row as Row);
		const byToken = key === "session" && where?.some(({ field }) => field === "token");
		return rows.filter((row) => {
			const { user } = row as { user?: Row | null };
			if (key === "user" || !user || typeof user !== "object") return true;
			const isHeld = byToken && holds(rights, tenantId, row as Row, user);
			if (rights) see(rights, tenantId, user, { isVouched: isHeld === true });
			return !byToken || isHeld;
		});
	};

	return {
		findOne: async <Found>(query: Parameters<ScopedMethods["findOne"]>[0]) => {
			const rights = await rightsHere();
			const row = await methods.findOne<Found>(query);
			return row && pin.current() !== PLATFORM ? (admitted(rights, query, [row])[0] ?? null) : row;
		},
		findMany: async <Found>(query: Parameters<ScopedMethods["findMany"]>[0]) => {
			const rights = await rightsHere();
			const rows = await methods.findMany<Found>(query);
			return pin.current() === PLATFORM ? rows : admitted(rights, query, rows);
		},
		consumeOne: async <Found>(query: Parameters<ScopedMethods["consumeOne"]>[0]) => {
			// a request may begin with a code or a link
			await rightsHere();
			return methods.consumeOne<Found>(query);
		},
	};
};

const guardedWrites = (
	methods: ScopedMethods,
	{ pin, inTransaction, isUsers, hold, change, rightsHere }: Guards,
): Pick<ScopedMethods, "create" | "update" | "updateMany" | "incrementOne"> => ({
	create: async (query) => {
		const rights = await rightsHere();
		const data = query.data as Row;
		if (!isUsers(query.model)) return hold.holding(rights, query, data, (inside) => inside.create(query)) as never;
		// an administrator who creates someone needs their own rights
		if (rights && inTransaction()) await hold.holdActors(rights);
		const row = await methods.create(query);
		if (rights) see(rights, pin.current(), row as Row, { isVouched: true, isNew: true });
		return row as never;
	},
	update: async <Found>(query: Parameters<ScopedMethods["update"]>[0]) => {
		const rights = await rightsHere();
		if (!isUsers(query.model))
			return hold.holding(rights, query, query.update, (inside) => inside.update<Found>(query));
		if (pin.current() === PLATFORM) return methods.update<Found>(query);
		return change(
			rights,
			query,
			(changed, inside) => inside.update<Found>(changed),
			(row, meets) => row !== null && meets(row as Row),
		);
	},
	updateMany: async (query) => {
		const rights = await rightsHere();
		if (!isUsers(query.model)) return hold.holding(rights, query, query.update, (inside) => inside.updateMany(query));
		if (pin.current() === PLATFORM) return methods.updateMany(query);
		return change(
			rights,
			query,
			(changed, inside) => inside.updateMany(changed),
			(count) => count > 0,
		);
	},
	incrementOne: async <Found>(query: Parameters<ScopedMethods["incrementOne"]>[0]) => {
		const rights = await rightsHere();
		const { model, where, set } = query;
		if (!set || pin.current() === PLATFORM) return methods.incrementOne<Found>(query);
		if (!isUsers(model)) return hold.holding(rights, query, set, (inside) => inside.incrementOne<Found>(query));
		return change(
			rights,
			{ model, where, update: set },
			(changed: Change, inside) => inside.incrementOne<Found>({ ...query, where: changed.where, set: changed.update }),
			(row) => row !== null,
		);
	},
});

const guardedDeletions = (
	methods: ScopedMethods,
	{ pin, inTransaction, isUsers, hold, rightsHere }: Guards,
	codes: ReturnType<typeof createDeviceCodes>,
): Pick<ScopedMethods, "delete" | "deleteMany"> => {
	/** What a deletion of users ends besides. In its transaction, which the guard of owners has opened. */
	const endDeleted = async (rights: RequestRights | undefined, [named]: Where[]): Promise<void> => {
		if (named?.field !== "id" || pin.current() === PLATFORM) return;
		for (const id of [named.value].flat().map(String)) {
			await codes.end(id);
			if (rights) forget(rights, keyOf(pin.current(), id));
		}
	};

	return {
		deleteMany: async (query) => {
			const rights = await rightsHere();
			const count = await hold.holdingActors(rights, query, (inside) => inside.deleteMany(query));
			if (isUsers(query.model)) await endDeleted(rights, query.where);
			return count;
		},
		delete: async (query) => {
			const rights = await rightsHere();
			if (!isUsers(query.model)) return hold.holdingActors(rights, query, (inside) => inside.delete(query));
			// the guard of owners has opened the transaction
			if (rights && inTransaction()) await hold.holdActors(rights);
			await methods.delete(query);
			await endDeleted(rights, query.where);
		},
	};
};
