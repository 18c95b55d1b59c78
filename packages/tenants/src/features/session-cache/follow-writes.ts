import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { keepSchemaCheck } from "../../engine/schema-check.ts";
import type { SessionCache } from "./session-cache.ts";

type Writes = Pick<
	DBTransactionAdapter,
	"update" | "updateMany" | "delete" | "deleteMany" | "consumeOne" | "incrementOne"
>;
type With = {
	cache: Pick<SessionCache, "follow">;
	/** the engine's own name of a table */
	tableOf: (model: string) => string;
};

/**
 * Lets this process learn of a change of a user or a session before whoever made it goes on: after the write, or after the commit of
 * its transaction. Also after an error, because the change may have been committed, and only the answer was lost.
 *
 * Below everything else, so that nothing writes past it.
 */
export const followWrites = (adapter: DBAdapter, { cache, tableOf }: With): DBAdapter => {
	const isFollowed = (model: string): boolean => ["user", "session"].includes(tableOf(model));
	const following = (methods: Writes, written: () => Promise<void> | void): Writes => {
		const after =
			<Query extends { model: string }, Result>(write: (query: Query) => Promise<Result>) =>
			async (query: Query): Promise<Result> => {
				try {
					return await write(query);
				} finally {
					if (isFollowed(query.model)) await written();
				}
			};
		return {
			update: after(methods.update) as Writes["update"],
			updateMany: after(methods.updateMany),
			delete: after(methods.delete),
			deleteMany: after(methods.deleteMany),
			consumeOne: after(methods.consumeOne) as Writes["consumeOne"],
			incrementOne: after(methods.incrementOne) as Writes["incrementOne"],
		};
	};
	return keepSchemaCheck(adapter, {
		...adapter,
		...following(adapter, cache.follow),
		transaction: async (run) => {
			let hasWritten = false;
			const note = (): void => {
				hasWritten = true;
			};
			try {
				return await adapter.transaction((inside) => run({ ...inside, ...following(inside, note) }));
			} finally {
				if (hasWritten) await cache.follow();
			}
		},
	});
};
