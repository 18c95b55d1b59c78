import { MOVE_COLLISIONS } from "../../errors/move-error-codes.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { collide, type MoveCollision } from "./collision.ts";
import type { AccountMove } from "./moved-accounts.ts";
import { type EncryptAgain, moveSecondFactor, moveTokens } from "./moved-secrets.ts";
import {
	ALL,
	collectRows,
	findInward,
	findOutward,
	findStaying,
	inTenant,
	type MovingRow,
	type MovingRows,
	oneOf,
	type Row,
} from "./moving-rows.ts";
import type { StoredKeys } from "./stored-keys.ts";
import type { UserTable } from "./user-tables.ts";

/** One move between two tenants, with what is needed to plan it. */
export type Route = {
	from: string;
	to: string;
	tables: UserTable[];
	accounts: AccountMove;
	encryptAgain: EncryptAgain;
	settings: MoveSettings;
	keepRoles: boolean;
};

/** Settings of Better Auth and its plugins that decide how values are stored. */
export type MoveSettings = {
	/** `account.encryptOAuthTokens` */
	encryptsTokens: boolean;
	/** backup codes are encrypted by the application's own functions */
	hasOwnEncryption: boolean;
	/** the role of users without a special one */
	defaultRole: string;
};

export type Plan = {
	moving: MovingRows;
	/** changed columns, besides the tenant and the derived columns, by table and row id */
	changes: Map<string, Map<string, Record<string, unknown>>>;
	collisions: MoveCollision[];
	/** users that must move in the same transaction, because a row refers to both */
	linkedUsers: string[];
};

type PlanWith = { adapter: Pick<RawAdapter, "findMany">; storedKeys: StoredKeys };

/**
 * Finds all rows that move with some users, their new values, and everything that prevents the move. Reads only.
 * `isSelected` says whether another user moves in the same call.
 */
export const planMove = async (
	{ adapter, storedKeys }: PlanWith,
	route: Route,
	users: Row[],
	isSelected: (userId: string) => boolean,
): Promise<Plan> => {
	const { from, to, tables } = route;
	const moving = await collectRows(adapter, tables, from, users);
	const collisions: MoveCollision[] = users.flatMap((user) => judgeUser(user, route));
	const linkedUsers: string[] = [];
	const references = [...findOutward(tables, moving), ...(await findInward(adapter, tables, from, moving))];
	for (const { userId, table, link, value } of references) {
		if (link.model === "user" && isSelected(value)) linkedUsers.push(value);
		else collisions.push(collide(userId, MOVE_COLLISIONS.ROW_STAYS_BEHIND, { table, field: link.field }));
	}
	collisions.push(...(await findStaying(adapter, tables, from, moving)));
	const changes: Plan["changes"] = new Map();
	const note = (planned: Record<string, unknown> | MoveCollision, table: string, { row }: MovingRow): void => {
		if (isCollision(planned)) collisions.push(planned);
		else changes.set(table, (changes.get(table) ?? new Map()).set(row.id, planned));
	};
	for (const account of rowsOf(moving, "account")) note(await planAccount(account, route), "account", account);
	for (const factor of rowsOf(moving, "twoFactor")) note(await planSecondFactor(factor, route), "twoFactor", factor);
	collisions.push(...(await findTaken(adapter, tables, to, withChanges(moving, changes))));
	collisions.push(...(await storedKeys.findOnlyStored(from, moving)));
	return { moving, changes, collisions: withoutRepeats(collisions), linkedUsers };
};

const rowsOf = (moving: MovingRows, table: string): MovingRow[] => [...(moving.get(table)?.values() ?? [])];

const isCollision = (planned: Record<string, unknown> | MoveCollision): planned is MoveCollision => "code" in planned;

/** A ban and a role are decisions of one tenant. In the target, nobody decided them. */
const judgeUser = (user: Row, { keepRoles, settings }: Route): MoveCollision[] => {
	const { id, banned, banExpires, role } = user;
	const isBanned = banned === true && !(banExpires instanceof Date && banExpires.getTime() <= Date.now());
	const hasRole = typeof role === "string" && role !== "" && role !== settings.defaultRole;
	return [
		...(isBanned ? [collide(id, MOVE_COLLISIONS.USER_BANNED)] : []),
		...(hasRole && !keepRoles ? [collide(id, MOVE_COLLISIONS.USER_HAS_ROLE, { field: "role" })] : []),
	];
};

const planAccount = async (account: MovingRow, { accounts, encryptAgain, settings }: Route) => {
	const moved = await accounts.move(account);
	if ("code" in moved) return moved;
	const { accountId, keepsTokens } = moved;
	const stored = { keeps: keepsTokens, encrypted: settings.encryptsTokens };
	return { accountId, ...(await moveTokens(account.row, encryptAgain, stored)) };
};

const planSecondFactor = async ({ row, userId }: MovingRow, { encryptAgain, settings }: Route) =>
	(await moveSecondFactor(row, encryptAgain, settings.hasOwnEncryption)) ??
	collide(userId, MOVE_COLLISIONS.SECRET_UNREADABLE, { table: "twoFactor" });

/** The rows with the values that they will have in the target. */
const withChanges = (moving: MovingRows, changes: Plan["changes"]): MovingRows =>
	new Map(
		[...moving].map(([table, rows]) => [
			table,
			new Map(
				[...rows].map(([id, { row, userId }]) => [id, { row: { ...row, ...changes.get(table)?.get(id) }, userId }]),
			),
		]),
	);

const withoutRepeats = (collisions: MoveCollision[]): MoveCollision[] => [
	...new Map(collisions.map((collision) => [JSON.stringify(collision), collision])).values(),
];

/** Finds the moving rows whose unique values another row of the target has. Runs one query for each unique index. */
const findTaken = async (
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
	if (table === "user" && field === "email") return collide(userId, MOVE_COLLISIONS.EMAIL_TAKEN, { field });
	if (table === "account") return collide(userId, MOVE_COLLISIONS.ACCOUNT_TAKEN, { table, field });
	return collide(userId, MOVE_COLLISIONS.VALUE_TAKEN, { table, field });
};
