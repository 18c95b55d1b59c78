import type { SecondaryStorage } from "@better-auth/core/db";
import type { Where } from "@better-auth/core/db/adapter";
import type { ScopedMethods } from "../data/adapter.ts";

/**
 * Ends the copy of a session in the storage when the database says that the session is gone, for `storeSessionInDatabase`. The
 * engine writes the copy of a renewed session first, and deletes the copy of an ended one first. So a slow storage could bring the
 * copy back after the end, and nothing would ask the database until the next renewal.
 *
 * One of both sees the other: a renewal that comes after the end finds no row, and an end deletes the copy again after the row.
 * Costs one call of the storage per end, and no query.
 */
export const endCopies =
	(storage: Pick<SecondaryStorage, "delete">, isSessions: (model: string) => boolean) =>
	(methods: ScopedMethods): ScopedMethods => {
		const end = async (model: string, where: Where[]): Promise<void> => {
			if (isSessions(model)) for (const token of valuesIn(where, "token")) await storage.delete(token);
		};
		return {
			...methods,
			update: async <Found>(query: Parameters<ScopedMethods["update"]>[0]) => {
				const updated = await methods.update<Found>(query);
				if (updated === null) await end(query.model, query.where);
				return updated;
			},
			delete: async (query) => {
				await methods.delete(query);
				await end(query.model, query.where);
			},
			deleteMany: async (query) => {
				const count = await methods.deleteMany(query);
				await end(query.model, query.where);
				return count;
			},
		};
	};

/** The values of a field that conditions name. */
export const valuesIn = (where: Where[], name: string): string[] =>
	where.flatMap(({ field, value, operator }) => {
		if (field !== name) return [];
		if ((operator ?? "eq") === "eq") return [String(value)];
		return operator === "in" && Array.isArray(value) ? value.map(String) : [];
	});
