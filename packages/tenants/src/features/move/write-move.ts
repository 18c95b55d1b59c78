import { derivedValue } from "../../scope/data/derived-value.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { DERIVED_PREFIX } from "../../scope/data/tables.ts";
import { ALL, inTenant, type MovingRow, type MovingRows, oneOf, ownersBy, type Row } from "./moving-rows.ts";
import type { Plan, Route } from "./plan-move.ts";
import type { UserTable } from "./user-tables.ts";

type Writer = Pick<RawAdapter, "findMany" | "updateMany" | "deleteMany">;

/**
 * Locks the users and their rows until the transaction ends, before they are read. Otherwise a request could change a
 * row in between, for example use up a backup code, and the move would write the old value back.
 */
export const lockRows = async (adapter: Writer, { from, tables }: Route, userIds: string[]): Promise<void> => {
	const lock = (model: string, field: string) =>
		adapter.updateMany({ model, where: inTenant(from, oneOf(field, userIds)), update: { tenantId: from } });
	await lock("user", "id");
	for (const { key, links, fate } of tables)
		for (const { field, model } of links) if (fate === "moves" && model === "user") await lock(key, field);
};

/** Writes the rows of a plan, and deletes or releases the other rows of the users. Returns the ended session tokens. */
export const writeMove = async (adapter: Writer, route: Route, plan: Plan): Promise<string[]> => {
	const { from, tables } = route;
	const tokens: string[] = [];
	for (const table of tables) {
		if (table.fate === "ends") tokens.push(...(await endRows(adapter, from, table, plan.moving)));
		if (table.fate === "released") await releaseRows(adapter, from, table, plan.moving);
	}
	for (const table of tables) if (table.fate === "moves") await moveRows(adapter, route, table, plan);
	return tokens;
};

/** Deletes rows that belong to the moving rows. Returns their tokens if they are sessions. */
const endRows = async (adapter: Writer, from: string, { key, links }: UserTable, moving: MovingRows) => {
	const tokens: string[] = [];
	for (const link of links) {
		const values = [...ownersBy(moving, link).keys()];
		if (values.length === 0) continue;
		const where = inTenant(from, oneOf(link.field, values));
		if (key === "session")
			tokens.push(
				...(await adapter.findMany<Row>({ model: key, where, limit: ALL })).map(({ token }) => String(token)),
			);
		await adapter.deleteMany({ model: key, where });
	}
	return tokens;
};

const releaseRows = async (adapter: Writer, from: string, { key, links }: UserTable, moving: MovingRows) => {
	for (const link of links) {
		const userIds = link.model === "user" ? [...ownersBy(moving, link).keys()] : [];
		if (userIds.length === 0) continue;
		const where = inTenant(from, oneOf(link.field, userIds));
		await adapter.updateMany({ model: key, where, update: { [link.field]: null } });
	}
};

const moveRows = async (adapter: Writer, { from, to }: Route, table: UserTable, { moving, changes }: Plan) => {
	const model = table.key;
	const alike: string[] = [];
	for (const { row } of moving.get(model)?.values() ?? []) {
		const update = { ...changes.get(model)?.get(row.id), ...(await derivedColumns(table, to, row)) };
		if (Object.keys(update).length === 0) alike.push(row.id);
		else {
			const where = inTenant(from, { field: "id", value: row.id });
			await adapter.updateMany({ model, where, update: { ...update, tenantId: to } });
		}
	}
	if (alike.length > 0)
		await adapter.updateMany({ model, where: inTenant(from, oneOf("id", alike)), update: { tenantId: to } });
};

const derivedColumns = async (
	{ derived }: UserTable,
	to: string,
	row: MovingRow["row"],
): Promise<Record<string, string>> => {
	const columns: Record<string, string> = {};
	for (const field of derived) {
		const value = row[field.field];
		if (value !== null && value !== undefined)
			columns[DERIVED_PREFIX + field.field] = await derivedValue(field, to, value);
	}
	return columns;
};
