import { BetterAuthError } from "@better-auth/core/error";
import { type EngineDatabase, findDriver } from "../database/driver.ts";
import { databaseClientOf } from "../database/migration-steps.ts";
import { readNames, type TableNames } from "../database/names.ts";
import { changeLogSteps } from "./change-log.ts";

/**
 * Returns the SQL with which PostgreSQL records changes of users and sessions, for `createSessionCache`. Run each statement by itself,
 * after each migration and before the first process that has the cache. All are safe to run again.
 *
 * @example
 * ```ts
 * for (const statement of await sessionCacheSteps(auth)) await pool.query(statement);
 * ```
 */
export const sessionCacheSteps = async (auth: { $context: Promise<EngineDatabase> }): Promise<string[]> => {
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
	return changeLogSteps({ user: named("user"), session: named("session") });
};
