import type { Where } from "@better-auth/core/db/adapter";
import { MOVE_COLLISIONS } from "../../errors/move-error-codes.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { collide, type MoveCollision } from "./collision.ts";
import type { Link, UserTable } from "./user-tables.ts";

export type Row = Record<string, unknown> & { id: string };

/** A row that moves, and the user that it moves with. */
export type MovingRow = { row: Row; userId: string };

/** The rows that move, by table and id. */
export type MovingRows = Map<string, Map<string, MovingRow>>;

/** The engine's default limit is 100 rows. */
export const ALL = 2_147_483_647;

/** Rows of one tenant. The condition on the tenant comes last, as in the scoped adapter. */
export const inTenant = (tenantId: string, ...where: Where[]): Where[] => [
	...where,
	{ field: "tenantId", value: tenantId, connector: "AND" },
];

export const oneOf = (field: string, values: string[]): Where => ({ field, value: values, operator: "in" });

type Finder = Pick<RawAdapter, "findMany">;

/** Finds the rows of a tenant by the values of one field. */
const findBy = async (adapter: Finder, table: string, tenantId: string, field: string, values: string[]) =>
	values.length === 0
		? []
		: adapter.findMany<Row>({ model: table, where: inTenant(tenantId, oneOf(field, values)), limit: ALL });

/**
 * Finds everything that moves with some users: their rows, the rows that refer to those, and so on. A row that refers to
 * a moving row cannot stay, because joins are not scoped to a tenant.
 */
export const collectRows = async (
	adapter: Finder,
	tables: UserTable[],
	from: string,
	users: Row[],
): Promise<MovingRows> => {
	const moving: MovingRows = new Map([["user", new Map(users.map((row) => [row.id, { row, userId: row.id }]))]]);
	let newest: MovingRows = moving;
	while (newest.size > 0) {
		const found: MovingRows = new Map();
		for (const { key, links, fate } of tables) {
			if (fate !== "moves" || key === "user") continue;
			for (const link of links) {
				const owners = ownersBy(newest, link);
				for (const row of await findBy(adapter, key, from, link.field, [...owners.keys()])) {
					const userId = owners.get(String(row[link.field]));
					if (userId === undefined || moving.get(key)?.has(row.id)) continue;
					add(moving, key, { row, userId });
					add(found, key, { row, userId });
				}
			}
		}
		newest = found;
	}
	return moving;
};

const add = (rows: MovingRows, table: string, moving: MovingRow): void => {
	rows.set(table, (rows.get(table) ?? new Map()).set(moving.row.id, moving));
};

/** The values that a link may have, and the users of the rows that it refers to. */
export const ownersBy = (rows: MovingRows, { model, target }: Link): Map<string, string> =>
	new Map([...(rows.get(model)?.values() ?? [])].map(({ row, userId }) => [String(row[target]), userId]));

/** The rows that a user cannot take along, with the users. */
export const findStaying = async (
	adapter: Finder,
	tables: UserTable[],
	from: string,
	moving: MovingRows,
): Promise<MoveCollision[]> => {
	const collisions: MoveCollision[] = [];
	for (const { key, links, fate } of tables) {
		if (fate !== "stays") continue;
		for (const link of links) {
			const owners = ownersBy(moving, link);
			for (const row of await findBy(adapter, key, from, link.field, [...owners.keys()])) {
				const userId = owners.get(String(row[link.field]));
				if (userId !== undefined) collisions.push(collide(userId, MOVE_COLLISIONS.ROW_OF_TENANT, { table: key }));
			}
		}
	}
	return collisions;
};

/** A reference between a moving row and a row that does not move with it. `value` is what the other row is found by. */
type Reference = { userId: string; table: string; link: Link; value: string };

/** Finds the references of moving rows to rows that stay behind, such as a member's organization. */
export const findOutward = (tables: UserTable[], moving: MovingRows): Reference[] =>
	tables.flatMap(({ key, links }) => {
		const rows = [...(moving.get(key)?.values() ?? [])];
		return links.flatMap((link) => {
			const inside = ownersBy(moving, link);
			return rows.flatMap(({ row, userId }): Reference[] => {
				const value = row[link.field];
				if (value === null || value === undefined || inside.has(String(value))) return [];
				return [{ userId, table: key, link, value: String(value) }];
			});
		});
	});

/** Finds users that stay and refer to one that moves, such as a column for the manager. */
export const findInward = async (
	adapter: Finder,
	tables: UserTable[],
	from: string,
	moving: MovingRows,
): Promise<Reference[]> => {
	const found: Reference[] = [];
	for (const link of tables.find(({ key }) => key === "user")?.links ?? []) {
		const owners = ownersBy(moving, link);
		for (const row of await findBy(adapter, "user", from, link.field, [...owners.keys()])) {
			const userId = owners.get(String(row[link.field]));
			if (userId !== undefined && !moving.get("user")?.has(row.id))
				found.push({ userId, table: "user", link: { ...link, model: "user" }, value: row.id });
		}
	}
	return found;
};
