import { AsyncLocalStorage } from "node:async_hooks";
import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { refusingValues } from "./refused-values.ts";

type Methods = Omit<DBTransactionAdapter, "transaction">;
export type RawAdapter = Methods;

export type RawAdapterSource = ReturnType<typeof createRawAdapter>;

/**
 * The engine's adapter below the scope, for the plugin's own tables. Inside a transaction it is the transaction's: a
 * second connection would wait for the first one, and a pool of ten would be stuck after ten of them.
 */
export const createRawAdapter = (adapter: DBAdapter) => {
	const running = new AsyncLocalStorage<{ methods: Methods; ended: boolean }>();
	const current = (): Methods => {
		const transaction = running.getStore();
		// what a transaction started may outlive it
		return transaction && !transaction.ended ? transaction.methods : adapter;
	};
	const methods: Methods = {
		...adapter,
		create: (query) => current().create(query),
		findOne: (query) => current().findOne(query),
		findMany: (query) => current().findMany(query),
		count: (query) => current().count(query),
		update: (query) => current().update(query),
		updateMany: (query) => current().updateMany(query),
		delete: (query) => current().delete(query),
		deleteMany: (query) => current().deleteMany(query),
		consumeOne: (query) => current().consumeOne(query),
		incrementOne: (query) => current().incrementOne(query),
	};
	return {
		adapter: refusingValues(methods),
		/** Runs a transaction's callback so that the raw adapter is the transaction's. */
		inside: async <Result>(methods: Methods, run: () => Promise<Result>): Promise<Result> => {
			const transaction = { methods, ended: false };
			try {
				return await running.run(transaction, run);
			} finally {
				transaction.ended = true;
			}
		},
	};
};
