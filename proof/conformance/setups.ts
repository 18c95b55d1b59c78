import type { Setup } from "./target.ts";

const onSqlite = (setting: Setup["setting"]): Setup => ({ store: "sqlite", caller: "HTTP", setting });

/**
 * The runs: HTTP on every store, the other callers and options on the cheapest. All combinations would take an hour and find
 * no more, because a caller and an option of Better Auth do not depend on the database.
 */
export const SETUPS: Record<string, Setup> = {
	postgres: { store: "postgres", caller: "HTTP", setting: "standard" },
	mariadb: { store: "mariadb", caller: "HTTP", setting: "standard" },
	sqlite: onSqlite("standard"),
	"postgres+redis": { store: "postgres+redis", caller: "HTTP", setting: "standard" },
	memory: { store: "memory", caller: "HTTP", setting: "standard" },
	"auth.api": { store: "sqlite", caller: "auth.api", setting: "standard" },
	client: { store: "sqlite", caller: "client", setting: "standard" },
	defaults: onSqlite("defaults"),
	"cookie-state": onSqlite("cookie state"),
	"cookie-cache": onSqlite("cookie cache"),
	"serial-ids": onSqlite("serial ids"),
	"base-url-path": onSqlite("path in the base URL"),
};
