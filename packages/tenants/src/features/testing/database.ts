import type { AuthContext } from "@better-auth/core";
import type { SecondaryStorage } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { BetterAuthError } from "@better-auth/core/error";
import { getAdapter } from "better-auth/db/adapter";
import { isGlobalTable } from "../../scope/data/tables.ts";
import { runInKnownTenant } from "../../scope/pin/tenant-context.ts";
import { type ChangeStamp, isOnly, type WriteWatch, watchWrites } from "./change-stamp.ts";

/** A row as the database returns it, by column. */
export type Row = Record<string, unknown>;
type Stored = { row: Row; text: string };
/** Every table by its key, every row by its id. */
export type Snapshot = Map<string, Map<string, Stored>>;
export type Change = { table: string; id: string; before: Row | undefined; after: Row | undefined };
type StorageKey = { tenantId: string; key: string };

/** The secondary storage is treated as a table with this name. */
const STORAGE = "secondary storage";
/** More rows than any test database has. The default limit of adapters is 100. */
const ALL = 1_000_000;

export type Database = Awaited<ReturnType<typeof openDatabase>>;

/**
 * Opens the application's database without the scope: a second adapter on the same connection, which reads and restores
 * the rows of all tenants.
 */
export const openDatabase = async (context: AuthContext) => {
	if (!context.options.database)
		throw new BetterAuthError(
			"assertTenantIsolation: Better Auth has no `database`, so its rows cannot be read. Set `database`, for example a new Database(':memory:') of better-sqlite3.",
		);
	const adapter = await getAdapter(context.options);
	const tables = Object.keys(context.tables);
	const order = parentsFirst(context);
	const storage = context.options.secondaryStorage;
	const storageKeys: StorageKey[] = [];

	const writes = watchWrites(context);
	const readTable = createTableReader(adapter, writes);
	const undo = createUndo(adapter, storage);
	let last: { stamp: ChangeStamp; state: Snapshot } | undefined;

	/** Reads all tables, or none if nothing was written since the last time. */
	const readChanged = async (): Promise<Snapshot> => {
		// before reading: a write in between is noticed the next time
		const stamp = writes?.stamp();
		const known = last && isOnly(0, last.stamp, stamp) ? last.state : undefined;
		const state = known && !storage ? known : await read(withoutStorage(known));
		last = stamp && { stamp, state };
		return state;
	};

	const read = async (known: Snapshot = new Map()): Promise<Snapshot> => {
		const found: Snapshot = new Map(known);
		for (const table of tables.filter((table) => !known.has(table))) {
			found.set(table, await readTable(table));
		}
		if (storage && !known.has(STORAGE)) found.set(STORAGE, await readStorage(storage, storageKeys));
		return found;
	};

	return {
		read: readChanged,
		/** whether reading is cheap if nothing was written */
		noticesWrites: writes !== undefined && !storage,
		adapter: adapter as Pick<DBAdapter, "create" | "delete">,
		/** tables in an order where a referenced table comes before those that reference it */
		order,
		/** Includes these keys of the secondary storage in snapshots from now on. */
		watchStorage: (tenantId: string, keys: string[]): void => {
			if (storage) storageKeys.push(...keys.map((key) => ({ tenantId, key })));
		},
		/** Undoes the changes since `base`. Returns the state afterwards. */
		restore: async (base: Snapshot, changes: Change[]): Promise<Snapshot> => {
			const rank = ({ table }: Change) => order.indexOf(table);
			const added = changes.filter(({ before }) => !before).sort((one, other) => rank(other) - rank(one));
			const others = changes.filter(({ before }) => before).sort((one, other) => rank(one) - rank(other));
			for (const change of [...added, ...others]) await undo(change);
			// no other table references the added rows
			const touched = new Set(changes.map(({ table }) => table));
			const stamp = writes?.stamp();
			const now = await read(new Map([...base].filter(([table]) => !touched.has(table))));
			const state = changesBetween(base, now).length === 0 ? base : now;
			// a task that an earlier call left running may have written meanwhile: then all tables are read the next time
			last = stamp && isOnly(changes.length, last?.stamp, stamp) ? { stamp, state } : undefined;
			return state;
		},
	};
};

const createTableReader = (adapter: Pick<DBAdapter, "findMany">, writes: WriteWatch | undefined) => {
	const parsed = new Map<string, { text: string; rows: Map<string, Stored> }>();
	return async (table: string): Promise<Map<string, Stored>> => {
		const text = writes?.textOf(table);
		const known = parsed.get(table);
		if (text !== undefined && known?.text === text) return known.rows;
		const found = await adapter.findMany<Row>({ model: table, limit: ALL });
		const rows = new Map(found.map((row) => [String(row.id), { row, text: JSON.stringify(row) }]));
		// a write between the two would be mistaken for what was there before
		if (text !== undefined && writes?.textOf(table) === text) parsed.set(table, { text, rows });
		return rows;
	};
};

const readStorage = async (storage: SecondaryStorage, keys: StorageKey[]): Promise<Map<string, Stored>> => {
	const values = new Map<string, Stored>();
	for (const { tenantId, key } of keys) {
		const value: unknown = await runInKnownTenant(tenantId, () => storage.get(key));
		const row = { id: `${tenantId} ${key}`, tenantId, key, value };
		if (value != null) values.set(row.id, { row, text: JSON.stringify(row) });
	}
	return values;
};

/** Creates the function that undoes one change. */
const createUndo = (adapter: DBAdapter, storage: SecondaryStorage | undefined) => {
	const undoStorage = async (id: string, before: Row | undefined): Promise<void> => {
		const [tenantId = "", key = ""] = id.split(" ");
		await runInKnownTenant(tenantId, async () => {
			if (before) await storage?.set(key, String(before.value), 3600);
			else await storage?.delete(key);
		});
	};

	return async ({ table, id, before }: Change): Promise<void> => {
		if (table === STORAGE) return undoStorage(id, before);
		const where = [{ field: "id", value: id }];
		if (!before) return adapter.delete({ model: table, where });
		const { id: _same, ...update } = before;
		// the row may have been deleted
		if (await adapter.findOne({ model: table, where })) await adapter.update({ model: table, where, update });
		else await adapter.create({ model: table, data: before, forceAllowId: true });
	};
};

const withoutStorage = (state: Snapshot = new Map()): Snapshot =>
	new Map([...state].filter(([table]) => table !== STORAGE));

/** The differences between two states, without the counters of the rate limiter. */
export const changesBetween = (before: Snapshot, after: Snapshot): Change[] => {
	if (before === after) return [];
	const changes: Change[] = [];
	for (const [table, rows] of after) {
		if (table !== "tenant" && isGlobalTable(table)) continue;
		const old = before.get(table);
		// tables that were not read again
		if (old === rows) continue;
		for (const [id, { row, text }] of rows) {
			const same = old?.get(id);
			if (same?.text !== text) changes.push({ table, id, before: same?.row, after: row });
		}
		for (const [id, { row }] of old ?? []) {
			if (!rows.has(id)) changes.push({ table, id, before: row, after: undefined });
		}
	}
	return changes;
};

/** The tenant that a row belongs to. */
export const ownerOf = (table: string, row: Row): unknown => (table === "tenant" ? row.id : row.tenantId);

export const rowsOf = (snapshot: Snapshot, tenantId: string): Record<string, Row[]> =>
	Object.fromEntries(
		[...snapshot]
			.filter(([table]) => table !== STORAGE)
			.map(([table, rows]) => [
				table,
				[...rows.values()].map(({ row }) => row).filter((row) => ownerOf(table, row) === tenantId),
			]),
	);

const parentsFirst = ({ tables }: AuthContext): string[] => {
	const keyOf = (name: string) =>
		name in tables ? name : Object.keys(tables).find((key) => tables[key]?.modelName === name);
	const order: string[] = [];
	const place = (table: string, path: string[]): void => {
		if (order.includes(table) || path.includes(table)) return;
		for (const { references } of Object.values(tables[table]?.fields ?? {})) {
			const parent = references && keyOf(references.model);
			if (parent) place(parent, [...path, table]);
		}
		order.push(table);
	};
	for (const table of Object.keys(tables)) place(table, []);
	return order;
};
