import { MOVE_ERROR_CODES } from "../../errors/move-error-codes.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { collide, type MoveCollision } from "./collision.ts";
import { ALL, inTenant, type MovingRows, oneOf, type Row } from "./moving-rows.ts";
import type { UserTable } from "./user-tables.ts";

/** Finds the moving rows whose unique values another row of the target has. Runs one query for each unique index. */
export const findTaken = async (
	adapter: Pick<RawAdapter, "findMany">,
	tables: UserTable[],
	to: string,
	moving: MovingRows,
): Promise<MoveCollision[]> => {
	const collisions: MoveCollision[] = [];
	for (const { key, unique } of tables) {
		const rows = [...(moving.get(key)?.values() ?? [])];
		for (const fields of unique) {
			const named = rows.filter(({ row }) => fields.every((field) => row[field] !== null && row[field] !== undefined));
			if (named.length === 0) continue;
			const where = fields.map((field) => oneOf(field, [...new Set(named.map(({ row }) => String(row[field])))]));
			const found = await adapter.findMany<Row>({ model: key, where: inTenant(to, ...where), limit: ALL });
			const taken = new Set(found.filter(({ id }) => !moving.get(key)?.has(id)).map((row) => tuple(row, fields)));
			for (const { row, userId } of named)
				if (taken.has(tuple(row, fields))) collisions.push(takenBy(userId, key, fields.at(-1) ?? ""));
		}
	}
	return collisions;
};

/** Ignores case, as the unique indexes of MySQL do. */
const tuple = (row: Row, fields: string[]): string =>
	JSON.stringify(fields.map((field) => String(row[field]).toLowerCase()));

const takenBy = (userId: string, table: string, field: string): MoveCollision => {
	if (table === "user" && field === "email") return collide(userId, MOVE_ERROR_CODES.EMAIL_TAKEN, { field });
	if (table === "account") return collide(userId, MOVE_ERROR_CODES.ACCOUNT_TAKEN, { table, field });
	return collide(userId, MOVE_ERROR_CODES.VALUE_TAKEN, { table, field });
};
