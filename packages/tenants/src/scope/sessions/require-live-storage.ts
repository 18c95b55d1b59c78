import type { SecondaryStorage } from "@better-auth/core/db";
import type { ScopedMethods } from "../data/adapter.ts";
import { noticeChangedUser } from "../pin/outage.ts";
import { SESSION_LIST } from "./stored-sessions.ts";

/**
 * Changes a user only if the storage responds, which has a copy of the user in every session. The engine changes the
 * database first and then the copies, and reports success if that fails. So the storage would come back with the old user:
 * with a role that was taken away, for example. With cached cookies, nothing else asks the storage before.
 *
 * Costs one read of the storage per change of a user.
 */
export const requireLiveStorage =
	(storage: Pick<SecondaryStorage, "get">, isUsers: (model: string) => boolean) =>
	(methods: ScopedMethods): ScopedMethods => {
		const assertResponds = async (model: string): Promise<void> => {
			if (!isUsers(model)) return;
			await storage.get(SESSION_LIST);
			noticeChangedUser();
		};
		return {
			...methods,
			update: async (query) => {
				await assertResponds(query.model);
				return methods.update(query);
			},
			updateMany: async (query) => {
				await assertResponds(query.model);
				return methods.updateMany(query);
			},
		};
	};
