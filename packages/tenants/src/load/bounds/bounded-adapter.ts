import type { DBAdapter, DBTransactionAdapter } from "@better-auth/core/db/adapter";
import { keepSchemaCheck } from "../../engine/schema-check.ts";
import type { FieldBounds } from "./field-bounds.ts";

type Writes = Pick<DBTransactionAdapter, "create" | "update" | "updateMany" | "incrementOne">;

/**
 * Bounds what every write stores, of every tenant and of the platform. Below the scoped adapter, so that it sees values as
 * they are stored, and that nothing writes past it: not in transactions, and not this package. Costs no query.
 */
export const boundFields = (adapter: DBAdapter, bounds: FieldBounds): DBAdapter =>
	keepSchemaCheck(adapter, {
		...adapter,
		...bounding(adapter, bounds),
		transaction: (run) => adapter.transaction((inside) => run({ ...inside, ...bounding(inside, bounds) })),
	});

const bounding = (methods: Writes, { assertRow }: FieldBounds): Writes => ({
	create: async (query) => {
		assertRow(query.model, query.data);
		return methods.create(query);
	},
	update: async (query) => {
		assertRow(query.model, query.update);
		return methods.update(query);
	},
	updateMany: async (query) => {
		assertRow(query.model, query.update);
		return methods.updateMany(query);
	},
	incrementOne: async (query) => {
		if (query.set) assertRow(query.model, query.set);
		return methods.incrementOne(query);
	},
});
