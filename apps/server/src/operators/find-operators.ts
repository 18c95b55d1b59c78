import type { AuthContext } from "@better-auth/core";
import type { Config } from "../config/config.ts";
import { holdsRole, isBanned } from "../lib/user-state.ts";

/** A platform user who may manage every tenant. */
export type Operator = {
	id: string;
	email: string;
	name: string;
	roles: string[];
	/** no longer able to sign in */
	disabled: boolean;
	secondFactor: boolean;
	createdAt: string;
	/** the start of the newest session that is still stored */
	lastSignInAt: string | null;
};

export type Row = Record<string, unknown>;
export type Engine = AuthContext;

/** More operators than anybody has. */
const MOST = 1_000;

/** Users of the platform with a role, and those who are named. A user can be both. */
export const findOperators = async (
	{ adapter }: Engine,
	{ roles, userIds }: Pick<Config["management"], "roles" | "userIds">,
): Promise<Row[]> => {
	const byRole = await Promise.all(
		roles.map((value) =>
			adapter.findMany<Row>({ model: "user", where: [{ field: "role", operator: "contains", value }], limit: MOST }),
		),
	);
	const named =
		userIds.length > 0
			? await adapter.findMany<Row>({ model: "user", where: [{ field: "id", operator: "in", value: userIds }] })
			: [];
	const found = [...byRole.flat().filter(({ role }) => holdsRole(role, roles)), ...named];
	return [...new Map(found.map((row) => [String(row.id), row])).values()];
};

/** What is shown of an operator. */
export const showOperator = async ({ adapter }: Engine, row: Row): Promise<Operator> => {
	const [newest] = await adapter.findMany<Row>({
		model: "session",
		where: [{ field: "userId", value: String(row.id) }],
		sortBy: { field: "createdAt", direction: "desc" },
		limit: 1,
	});
	const { role } = row;
	return {
		id: String(row.id),
		email: String(row.email),
		name: String(row.name),
		roles: typeof role === "string" && role !== "" ? role.split(",").map((one) => one.trim()) : [],
		disabled: isBanned(row),
		secondFactor: row.twoFactorEnabled === true,
		createdAt: timeOf(row.createdAt).toISOString(),
		lastSignInAt: newest ? timeOf(newest.createdAt).toISOString() : null,
	};
};

const timeOf = (value: unknown): Date => new Date(value as Date | string);
