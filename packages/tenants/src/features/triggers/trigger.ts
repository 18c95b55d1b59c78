import { BetterAuthError } from "@better-auth/core/error";
import { isGlobalTable } from "../../scope/data/tables.ts";
import { hasLifecycle } from "../../scope/pin/tenant-state.ts";
import type { Driver, EngineDatabase } from "../database/driver.ts";
import { readNames, type TableNames } from "../database/names.ts";

/** A trigger as it must be, and the statements that create it. */
export type Trigger = {
	table: string;
	name: string;
	/** what it does, as the database's catalog returns it */
	body: string;
	create: string[];
};

/** A trigger that the database has. */
export type FoundTrigger = Pick<Trigger, "table" | "name" | "body">;

/** A table with rows of tenants, and the columns that must not change in a tenant that is closed. */
export type GuardedTable = TableNames & { waysIn: string[] };

/** The table of tenants, and the tables whose rows belong to one. */
export type GuardedTables = { tenant: TableNames; tables: GuardedTable[] };

/** The triggers of one kind of database. */
export type TriggerKind = {
	/** Statements that come first, and that are safe to run again. Empty if nothing is missing. */
	prepare: (driver: Driver, guarded: GuardedTables) => Promise<string[]>;
	expected: (driver: Driver, guarded: GuardedTables) => Promise<Trigger[]>;
	find: (driver: Driver, guarded: GuardedTables) => Promise<FoundTrigger[]>;
};

/** The name of the trigger for new rows of a table. */
export const openName = (table: string): string => `${table}_tenant_open`;

/** The name of the trigger for changed rows of a table. */
export const keepName = (table: string): string => `${table}_tenant_keep`;

/** PostgreSQL has names of up to 63 bytes, MySQL of up to 64 characters. */
const LONGEST = 63;

/** Names all tables. Throws if one cannot be named inside of a trigger. */
export const readGuarded = (context: EngineDatabase, client: unknown): GuardedTables => {
	const named = (key: string): TableNames => {
		const names = readNames(context, client, key);
		const isPlain = names && [names.table, names.schema ?? ""].every((name) => /^[\w.-]*$/.test(name));
		if (!isPlain || openName(names.table).length > LONGEST)
			throw new BetterAuthError(
				`tenantTriggerSteps: the table "${names?.table ?? key}" cannot have a trigger. Use a name of at most 51 letters, digits and underscores, and add it to your ORM's schema.`,
			);
		return names;
	};
	// only `tenantLifecycle()` closes tenants that keep their rows
	const isKept = hasLifecycle(context.tables);
	const guarded = Object.entries(context.tables).filter(([key]) => !isGlobalTable(key));
	return {
		tenant: named("tenant"),
		tables: guarded.map(([key, { fields }]) => {
			const names = named(key);
			return { ...names, waysIn: isKept ? waysIn(key, fields).map(names.column) : [] };
		}),
	};
};

/**
 * Columns whose change gives someone a way into a tenant, by table. A request that was under way when its tenant was suspended must
 * not change them. Not encrypted columns, which `reencryptSecrets` also writes in suspended tenants, and not the expiry of
 * sessions.
 */
const WAYS_IN: Record<string, readonly string[]> = {
	user: [
		"email",
		"emailVerified",
		"username",
		"phoneNumber",
		"phoneNumberVerified",
		"role",
		"banned",
		"banExpires",
		"twoFactorEnabled",
	],
	account: ["password", "userId", "accountId"],
	verification: ["identifier", "value", "expiresAt"],
	deviceCode: ["userId", "status"],
	apikey: ["key", "enabled", "expiresAt", "permissions", "referenceId"],
	member: ["role"],
	oauthClient: ["clientSecret", "redirectUris", "disabled"],
};

/** The columns of a table that open a way in, of those that this configuration has. */
const waysIn = (key: string, fields: Record<string, unknown>): string[] =>
	(WAYS_IN[key] ?? []).filter((field) => field in fields);
