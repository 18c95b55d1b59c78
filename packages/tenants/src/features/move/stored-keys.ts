import type { SecondaryStorage } from "@better-auth/core/db";
import { MOVE_COLLISIONS } from "../../errors/move-error-codes.ts";
import { storageKey } from "../../scope/data/storage.ts";
import { collide, type MoveCollision } from "./collision.ts";
import type { MovingRows } from "./moving-rows.ts";
import { inGroups, parseJson } from "./stored-values.ts";

export type StoredKeys = ReturnType<typeof createStoredKeys>;

/**
 * API keys in secondary storage. A key that is cached there would stay valid in the old tenant, so it is deleted and
 * cached again in the new one. A key that is only there cannot move: the database does not know it.
 */
export const createStoredKeys = (storage: SecondaryStorage | undefined, hasKeys: boolean) => {
	const read = async (key: string): Promise<unknown> => parseJson(await storage?.get(key));
	return {
		findOnlyStored: async (from: string, moving: MovingRows): Promise<MoveCollision[]> => {
			if (!storage || !hasKeys) return [];
			const known = moving.get("apikey");
			return inGroups([...(moving.get("user")?.keys() ?? [])], async (userId) => {
				const ids = await read(storageKey(from, `api-key:by-ref:${userId}`));
				const isOnlyStored = Array.isArray(ids) && ids.some((id) => !known?.has(String(id)));
				return isOnlyStored ? [collide(userId, MOVE_COLLISIONS.API_KEY_NOT_IN_DATABASE, { table: "apikey" })] : [];
			});
		},
		/** Deletes the cached copies of keys that moved. */
		forget: async (from: string, moving: MovingRows): Promise<void> => {
			if (!storage || !hasKeys) return;
			const keys = [...(moving.get("apikey")?.values() ?? [])].flatMap(({ row, userId }) => [
				`api-key:${row.key}`,
				`api-key:by-id:${row.id}`,
				`api-key:by-ref:${userId}`,
			]);
			await inGroups(keys, async (key) => {
				await storage.delete(storageKey(from, key));
				return [];
			});
		},
	};
};
