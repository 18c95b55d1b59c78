import { isDeepStrictEqual } from "node:util";
import type { SurfaceWorld } from "./engine.ts";

export type Cell = string | number | boolean | null | object;
export type TableRow = Record<string, Cell>;
/** All rows of all tables, and the data in Redis and Stripe. */
export type Dump = Record<string, TableRow[]>;

/** The location of rows without a tenant column, so that they can be compared like all others. */
const REDIS = "(redis)";
export const STRIPE = "(stripe)";

/** Reads and restores all data of a world. */
export const createStoredState = async (world: SurfaceWorld) => {
	const { tables } = await world.auth.$context;
	const names = Object.values(tables).map((table) => table.modelName);
	const isPostgres = world.database.kind === "postgres";

	const readTables = async (): Promise<Dump> => {
		const found: Dump = Object.fromEntries(names.map((name) => [name, []]));
		if (isPostgres) {
			// one round trip for all of them
			const all = names.map((name) => `select '${name}' as name, to_jsonb(t) as row from "${name}" t`);
			for (const { name, row } of await world.database.query(all.join(" union all ")))
				found[String(name)]?.push(row as TableRow);
		} else {
			for (const name of names) found[name] = (await world.database.query(`select * from "${name}"`)) as TableRow[];
		}
		return found;
	};

	const readRedis = async (): Promise<TableRow[]> => {
		if (!world.redis) return [];
		const keys = (await world.redis.keys(`${world.redisPrefix}*`)).sort();
		const values = keys.length > 0 ? await world.redis.mget(keys) : [];
		return keys.map((key, at) => {
			const [, tenantId] = /^tenant:([^:]+):/.exec(key.slice(world.redisPrefix.length)) ?? [];
			return { key, value: values[at] ?? null, tenantId: tenantId ?? "platform" };
		});
	};

	// a customer stays with its user, even if the user's row is gone
	const owners = new Map<Cell | undefined, Cell | undefined>();
	const readStripe = (rows: Dump): TableRow[] => {
		for (const { stripeCustomerId, tenantId } of rows.user ?? []) {
			if (stripeCustomerId && !owners.has(stripeCustomerId)) owners.set(stripeCustomerId, tenantId);
		}
		return world.stripe.state().map((thing) => ({
			id: thing.id,
			thing,
			tenantId: (owners.get(String(thing.customer ?? thing.id)) ?? "nobody") as Cell,
		}));
	};

	const dump = async (rows: Dump): Promise<Dump> => ({
		...rows,
		[REDIS]: await readRedis(),
		[STRIPE]: readStripe(rows),
	});

	const base = await dump(await readTables());
	const stripeBase = world.stripe.state();

	const restoreTables = async (after: Dump): Promise<void> => {
		const changed = names.filter((name) => base[name] !== after[name]);
		if (changed.length === 0) return;
		if (isPostgres) {
			const inserts = changed.map(
				(name) =>
					`delete from "${name}"; insert into "${name}" select * from jsonb_populate_recordset(null::"${name}", ${literal(JSON.stringify(base[name]))});`,
			);
			await world.database.query(`begin; set local session_replication_role = replica; ${inserts.join("\n")} commit;`);
			return;
		}
		await world.database.query("pragma foreign_keys = off");
		await world.database.query("begin");
		for (const name of changed) {
			await world.database.query(`delete from "${name}"`);
			for (const row of base[name] ?? []) {
				const columns = Object.keys(row).map((column) => `"${column}"`);
				await world.database.query(
					`insert into "${name}" (${columns.join(", ")}) values (${Object.values(row).map(literal).join(", ")})`,
				);
			}
		}
		await world.database.query("commit");
	};

	const restoreRedis = async (after: Dump): Promise<void> => {
		if (!world.redis || base[REDIS] === after[REDIS]) return;
		const kept = new Set((base[REDIS] ?? []).map(({ key }) => key));
		const made = (after[REDIS] ?? []).flatMap(({ key }) => (kept.has(key ?? "") ? [] : String(key)));
		if (made.length > 0) await world.redis.del(...made);
		// without an expiry, because the values are still needed
		await world.redis.mset(...(base[REDIS] ?? []).flatMap(({ key, value }) => [String(key), String(value)]));
	};

	return {
		tables,
		base,
		/** The current data. Unchanged tables are the same lists, because a call that wrote nothing left them so. */
		read: async ({ wrote }: { wrote: boolean }): Promise<Dump> => {
			const now = await dump(wrote ? await readTables() : base);
			const same = (name: string) => isDeepStrictEqual(now[name], base[name]);
			return Object.fromEntries(Object.keys(base).map((name) => [name, (same(name) ? base : now)[name] ?? []]));
		},
		restore: async (after: Dump): Promise<void> => {
			await restoreTables(after);
			await restoreRedis(after);
			world.stripe.reset(stripeBase);
		},
	};
};

const literal = (cell: Cell): string => {
	if (cell === null) return "null";
	if (typeof cell === "number") return String(cell);
	return `'${String(cell).replaceAll("'", "''")}'`;
};
