import { BetterAuthError } from "@better-auth/core/error";
import * as z from "zod";
import { type EngineDatabase, findDriver } from "../database/driver.ts";
import { databaseClientOf } from "../database/migration-steps.ts";
import { readNames, type TableNames } from "../database/names.ts";
import { changeLogRemoval, changeLogSteps, recordersQuery } from "./change-log.ts";

const recorders = z.tuple([
	z.object({
		schema: z.string().nullable(),
		table: z.boolean(),
		index: z.boolean(),
		functions: z.record(z.string(), z.string()),
		triggers: z.array(z.string()),
	}),
]);

/**
 * Returns the SQL that the database still needs to record changes of users and sessions, for `createSessionCache`. Run each
 * statement by itself, after each migration and before the first process that has the cache. It reads the database, writes
 * nothing, and returns an empty list when nothing is missing.
 *
 * @example
 * ```ts
 * for (const statement of await sessionCacheSteps(auth)) await pool.query(statement);
 * ```
 */
export const sessionCacheSteps = async (auth: { $context: Promise<EngineDatabase> }): Promise<string[]> => {
	const { names, present } = await readRecorders(auth);
	return changeLogSteps(names, present);
};

/**
 * Returns the SQL that ends what `sessionCacheSteps` began, when no process has the cache any more. Until then the database goes on
 * recording changes, and nobody deletes them. It reads the database, writes nothing, and returns an empty list when nothing is left.
 *
 * @example
 * ```ts
 * for (const statement of await sessionCacheRemoval(auth)) await pool.query(statement);
 * ```
 */
export const sessionCacheRemoval = async (auth: { $context: Promise<EngineDatabase> }): Promise<string[]> => {
	const { names, present } = await readRecorders(auth);
	return changeLogRemoval(names, present);
};

const readRecorders = async (auth: { $context: Promise<EngineDatabase> }) => {
	const context = await auth.$context;
	const client = databaseClientOf(context);
	const driver = findDriver(context, client);
	if (driver?.dialect !== "postgres")
		throw new BetterAuthError(
			`sessionCacheSteps: only PostgreSQL can record changes for a cache of sessions (adapter "${context.adapter.id}"). With an ORM, pass its client to tenantAuth({ database: { client } }).`,
		);
	const named = (key: string): TableNames => {
		const names = readNames(context, client, key);
		if (!names)
			throw new BetterAuthError(`sessionCacheSteps: the table of ${key} is not in your ORM's schema. Add it.`);
		return names;
	};
	const names = { user: named("user"), session: named("session") };
	const [present] = recorders.parse(await driver.ask(recordersQuery(names)));
	const { schema } = present;
	if (schema === null)
		throw new BetterAuthError("sessionCacheSteps: there is no table of sessions. Run Better Auth's migration first.");
	return { names, present: { ...present, schema } };
};
