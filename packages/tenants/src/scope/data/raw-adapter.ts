import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { defineCallPart } from "../../lib/call.ts";
import { refusingValues } from "./refused-values.ts";

type Methods = Omit<DBTransactionAdapter, "transaction">;
export type RawAdapter = Methods;

export type RawAdapterSource = ReturnType<typeof createRawAdapter>;

/**
 * The engine's unscoped adapter, for the plugin's own tables. Inside a transaction it uses the transaction's
 * connection. A second connection would wait for the first one, so ten parallel transactions would block a pool of ten
 * connections.
 */
export const createRawAdapter = (adapter: DBAdapter) => {
	const running = defineCallPart<{ methods: Methods; ended: boolean }>();
	const current = (): Methods => {
		const transaction = running.now();
		// code that a transaction started may run after it ended
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
		/** Whether the calling code runs inside a transaction, so that what it writes may be rolled back. */
		inTransaction: (): boolean => running.now()?.ended === false,
		/** Runs a transaction's callback. Inside, the raw adapter uses the transaction. */
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
