import type { BetterAuthDBSchema } from "@better-auth/core/db";
import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";
import { defineCallPart } from "../../lib/call.ts";
import type { Tables } from "../../scope/data/tables.ts";

type Methods = Pick<DBTransactionAdapter, "create" | "update" | "updateMany" | "findMany">;
type Row = Record<string, unknown>;
type InOrder = <Result>(write: () => Promise<Result>) => Promise<Result>;
type Constraints = { unique: string[][]; nullable: string[] };
type ConstraintsOf = (model: string) => Constraints;

/**
 * Gives the engine's in-memory database the unique constraints of the schema, null in columns that are not set, and its
 * transactions one after another. Without them, parallel calls leave two tenants with one slug, or several configs of one provider. Returns any other adapter as it
 * is: databases have these constraints.
 */
export const enforceUniques = (adapter: DBAdapter, schema: BetterAuthDBSchema, tables: Tables): DBAdapter => {
	if (adapter.id !== "memory") return adapter;
	const constraintsOf = readConstraints(schema, tables);
	const inOrder = createQueue();
	return {
		...adapter,
		...checking(adapter, constraintsOf, inOrder),
		transaction: (run) =>
			inOrder(() =>
				adapter.transaction((inside) => run({ ...inside, ...checking(inside, constraintsOf, (write) => write()) })),
			),
	};
};

/** The fields, alone or together, that no two rows of a table have in common, and those that are null if they are not set. */
const readConstraints = (schema: BetterAuthDBSchema, tables: Tables): ConstraintsOf => {
	const byKey = new Map(
		Object.entries(schema).map(([key, { fields, indexes = [] }]): [string, Constraints] => {
			const entries = Object.entries(fields);
			const alone = entries.flatMap(([name, { unique }]) => (unique ? [[name]] : []));
			const together = indexes.flatMap((index) => (index.unique ? [[...index.fields]] : []));
			const nullable = entries.flatMap(([name, { required, defaultValue }]) =>
				required === false && defaultValue === undefined ? [name] : [],
			);
			return [key, { unique: [["id"], ...alone, ...together], nullable }];
		}),
	);
	return (model) => byKey.get(tables(model).key) ?? { unique: [], nullable: [] };
};

/**
 * Runs one write at a time. A write inside a transaction that does not use the transaction's own adapter does not wait for
 * that transaction: it would wait forever. That is what `running` is for.
 */
const createQueue = (): InOrder => {
	const running = defineCallPart<true>();
	let last: Promise<unknown> = Promise.resolve();
	return (write) => {
		if (running.now()) return write();
		const next = last.then(() => running.run(true, write));
		last = next.catch(() => undefined);
		return next;
	};
};

const checking = (methods: Methods, constraintsOf: ConstraintsOf, inOrder: InOrder): Omit<Methods, "findMany"> => {
	const assertFree = async (model: string, row: Row, sets: string[][], self: unknown): Promise<void> => {
		for (const fields of sets) {
			const where = fields.map((field) => ({ field, value: row[field] as Where["value"] }));
			// as in SQL, no value equals another missing one
			if (where.some(({ value }) => value === undefined || value === null)) continue;
			const holders = await methods.findMany<Row>({ model, where, limit: 2 });
			if (holders.some(({ id }) => id !== self)) throw new UniqueViolation(model, fields);
		}
	};
	const assertMayChange = async (model: string, where: Where[], update: Row): Promise<void> => {
		const sets = constraintsOf(model).unique.filter((fields) => fields.some((field) => field in update));
		if (sets.length === 0) return;
		for (const row of await methods.findMany<Row>({ model, where }))
			await assertFree(model, { ...row, ...update }, sets, row.id);
	};
	return {
		create: (query) =>
			inOrder(async () => {
				const { unique, nullable } = constraintsOf(query.model);
				await assertFree(query.model, query.data, unique, null);
				const data: Row = query.data;
				const unset = nullable.filter((name) => data[name] === undefined).map((name) => [name, null]);
				return methods.create({ ...query, data: { ...query.data, ...Object.fromEntries(unset) } });
			}),
		update: (query) =>
			inOrder(async () => {
				await assertMayChange(query.model, query.where, query.update);
				return methods.update(query);
			}),
		updateMany: (query) =>
			inOrder(async () => {
				await assertMayChange(query.model, query.where, query.update);
				return methods.updateMany(query);
			}),
	};
};

/** As PostgreSQL reports it (class 23), so that it is not taken for an outage. */
class UniqueViolation extends Error {
	override name = "UniqueViolation";
	readonly code = "23505";
	constructor(model: string, fields: string[]) {
		super(`Another row of ${model} has the same ${fields.join(", ")}`);
	}
}
