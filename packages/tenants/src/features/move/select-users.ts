import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import { MOVE_COLLISIONS } from "../../errors/move-error-codes.ts";
import { runInTenant } from "../../scope/pin/tenant-context.ts";
import { collide, type MoveCollision } from "./collision.ts";
import { oneOf, type Row } from "./moving-rows.ts";

/** Which users to move: some ids, or all users of the source that match. */
export type UserSelection = { userIds: readonly string[] } | { where: Where[] };

type Selected = {
	/** the users in the source, in the order in which they move */
	ids: string[];
	/** users that are in the target already, from an earlier call */
	movedBefore: string[];
	/** ids that neither the source nor the target has */
	collisions: MoveCollision[];
};

type Finder = Pick<DBAdapter, "findMany">;

const PAGE = 500;

/** Reads users of one tenant through the scoped adapter, which compares ids exactly. */
export const findUsers = async (adapter: Finder, tenantId: string, ids: string[]): Promise<Row[]> => {
	const users: Row[] = [];
	for (let first = 0; first < ids.length; first += PAGE) {
		const where = [oneOf("id", ids.slice(first, first + PAGE))];
		users.push(...(await runInTenant(tenantId, () => adapter.findMany<Row>({ model: "user", where, limit: PAGE }))));
	}
	const wanted = new Set(ids);
	return users.filter(({ id }) => wanted.has(id));
};

/** Finds the selected users. With `after`, an earlier call moved the users up to that one. */
export const selectUsers = async (
	adapter: Finder,
	{ from, to, after }: { from: string; to: string; after: string | null },
	selection: UserSelection,
): Promise<Selected> => {
	if ("where" in selection)
		return {
			ids: await listIds(adapter, from, selection.where, after && { value: after, operator: "gt" }),
			// rows that requests wrote while the earlier call ran
			movedBefore: after === null ? [] : await listIds(adapter, to, [], { value: after, operator: "lte" }),
			collisions: [],
		};
	const wanted = [...new Set(selection.userIds)].sort();
	const found = new Set((await findUsers(adapter, from, wanted)).map(({ id }) => id));
	const others = wanted.filter((id) => !found.has(id));
	const moved = new Set((await findUsers(adapter, to, others)).map(({ id }) => id));
	return {
		ids: [...found].filter((id) => after === null || id > after).sort(),
		movedBefore: [...moved],
		collisions: others.filter((id) => !moved.has(id)).map((id) => collide(id, MOVE_COLLISIONS.USER_NOT_FOUND)),
	};
};

type Bound = { value: string; operator: "gt" | "lte" } | null | "";

const listIds = async (adapter: Finder, tenantId: string, where: Where[], bound: Bound): Promise<string[]> => {
	const ids: string[] = [];
	for (;;) {
		const last = ids.at(-1);
		const bounds: Where[] = [
			...(bound ? [{ field: "id", ...bound }] : []),
			...(last === undefined ? [] : [{ field: "id", value: last, operator: "gt" as const }]),
		];
		const page = await runInTenant(tenantId, () =>
			adapter.findMany<{ id: string }>({
				model: "user",
				where: [...where, ...bounds],
				sortBy: { field: "id", direction: "asc" },
				limit: PAGE,
			}),
		);
		ids.push(...page.map(({ id }) => id));
		if (page.length < PAGE) return ids;
	}
};
