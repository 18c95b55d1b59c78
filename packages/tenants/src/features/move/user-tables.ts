import type { BetterAuthDBSchema } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { defineService } from "../../engine/service.ts";
import { isGlobalTable, type ScopedTable, type Tables } from "../../scope/data/tables.ts";

/**
 * What happens to the rows of a user that moves:
 * - `moves`: they get the new tenant
 * - `ends`: they are deleted, because they are valid in the old tenant only
 * - `stays`: they belong to the tenant, not to the user, so the user cannot move with them
 * - `released`: they stay and forget the user
 */
type Fate = "moves" | "ends" | "stays" | "released";

/** A field that refers to a row of another table. */
export type Link = { field: string; model: string; target: string };

export type UserTable = {
	key: string;
	fate: Fate;
	links: Link[];
	derived: ScopedTable["derived"];
	/** fields that are unique together in each tenant */
	unique: string[][];
};

/** The tables with rows of users. A table that refers to another one comes before it. */
export const userTablesOf = defineService<UserTable[]>("userTables");

const FATES: Record<string, Fate> = {
	session: "ends",
	oauthAccessToken: "ends",
	oauthRefreshToken: "ends",
	deviceCode: "ends",
	// other users of the tenant use the client
	oauthClient: "stays",
	// a directory of the tenant manages these users
	scimSubject: "stays",
	scimUser: "stays",
	scimProjectionGrant: "stays",
	scimIdentityTombstone: "stays",
	// it signs the tenant's users in, whoever registered it
	ssoProvider: "released",
};

/** Fields with a user id that the plugins do not declare as references, besides `userId`. */
const UNDECLARED: Record<string, string> = {
	apikey: "referenceId",
	subscription: "referenceId",
	// an admin that leaves a tenant must not remain signed in as one of its users
	session: "impersonatedBy",
};

/** Without these rows the user would lose the way to sign in, or the second factor. */
const NEVER_DISCARDED = new Set(["user", "account", "twoFactor", "verification"]);

/** The tables with rows of users. A table that refers to another one comes before it. */
export const readUserTables = (schema: BetterAuthDBSchema, tables: Tables): UserTable[] => {
	const keys = Object.keys(schema).filter((key) => !isGlobalTable(key) && key !== "tenantOauthConfig");
	const all = keys.map((key) => describe(schema, tables(key)));
	return childrenFirst(all.filter((table) => table.key === "user" || leadsToUser(table, all)));
};

/** The same tables, where rows of the named tables are deleted instead of moved. */
export const withDiscarded = (userTables: UserTable[], discard: readonly string[]): UserTable[] => {
	for (const name of discard) {
		if (NEVER_DISCARDED.has(name) || !userTables.some(({ key }) => key === name))
			throw new BetterAuthError(
				`moveUsersToTenant: discard contains "${name}". Use names of tables with rows of users, such as "member", except user, account and twoFactor.`,
			);
	}
	return userTables.map((table) => (discard.includes(table.key) ? { ...table, fate: "ends" } : table));
};

const describe = (schema: BetterAuthDBSchema, { key, references, derived }: ScopedTable): UserTable => {
	const links = [...references];
	for (const field of ["userId", UNDECLARED[key] ?? "userId"])
		if (schema[key]?.fields[field] && !links.some((link) => link.field === field))
			links.push({ field, model: "user", target: "id" });
	const indexes = (schema[key]?.indexes ?? []).filter(({ unique, fields }) => unique && fields.includes("tenantId"));
	return {
		key,
		fate: FATES[key] ?? "moves",
		links,
		derived,
		unique: [
			...indexes.map(({ fields }) => fields.filter((field) => field !== "tenantId")),
			...derived.filter(({ isReference }) => !isReference).map(({ field }) => [field]),
		],
	};
};

const leadsToUser = (table: UserTable, all: UserTable[], seen: string[] = []): boolean =>
	table.links.some(({ model }) => {
		if (model === "user") return true;
		const next = all.find(({ key }) => key === model);
		// rows below a row that does not move do not move either
		return next?.fate === "moves" && !seen.includes(model) && leadsToUser(next, all, [...seen, model]);
	});

const childrenFirst = (all: UserTable[]): UserTable[] => {
	const order: UserTable[] = [];
	const place = (table: UserTable, path: string[]): void => {
		if (order.includes(table) || path.includes(table.key)) return;
		for (const child of all)
			if (child.links.some(({ model }) => model === table.key)) place(child, [...path, table.key]);
		order.push(table);
	};
	for (const table of all) place(table, []);
	return order;
};

/** Says of a model which table it is, and which of its fields name a user. */
export const userLinks = (userTables: UserTable[], keyOf: (model: string) => string) => {
	const fields = new Map(
		userTables.map(({ key, links }) => [key, links.filter(({ model }) => model === "user").map(({ field }) => field)]),
	);
	return (model: string): { key: string; fields: string[] } => {
		const key = keyOf(model);
		return { key, fields: fields.get(key) ?? [] };
	};
};
