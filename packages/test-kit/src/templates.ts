import { createHash, randomBytes } from "node:crypto";
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BetterAuthOptions } from "better-auth";
import { getSchema } from "better-auth/db";
import { getMigrations } from "better-auth/db/migration";
import { runFolder } from "./run-folder.ts";

type Connection = NonNullable<BetterAuthOptions["database"]>;

/** The tables of a new database. Databases with the same key have the same tables, so the migration runs once. */
export type Template = {
	key: string;
	migrate: (connection: Connection) => Promise<void>;
};

/** The result of the engine's own migration for these options. */
export const templateOf = (options: BetterAuthOptions): Template => ({
	key: keyOf(options),
	migrate: async (database) => (await getMigrations({ ...options, database })).runMigrations(),
});

/** Its path contains the engine's version, which may migrate differently. */
const ENGINE: string = createRequire(import.meta.url).resolve("better-auth/db/migration");

/** Every option that the migration reads: the tables, and the kind of ids. */
const keyOf = (options: BetterAuthOptions): string => {
	const generateId = options.advanced?.database?.generateId;
	const read = [ENGINE, typeof generateId === "string" ? generateId : null, getSchema(options)];
	return createHash("sha256").update(JSON.stringify(read, withoutCode)).digest("hex").slice(0, 24);
};

/** Only the presence of functions affects a column; validators do not. */
const withoutCode = (name: string, value: unknown): unknown => {
	if (name === "validator" || name === "transform") return undefined;
	return typeof value === "function" ? "function" : value;
};

/** Creates a file once per name. Two workers may create it at the same time; it is never visible half written. */
export const onceAsFile = async (name: string, make: () => Promise<string | Buffer>): Promise<string> => {
	const path = join(runFolder(), name);
	if (existsSync(path)) return path;
	const unfinished = `${path}.${randomBytes(6).toString("hex")}`;
	writeFileSync(unfinished, await make());
	renameSync(unfinished, path);
	return path;
};
