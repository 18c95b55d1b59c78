import { BetterAuthError } from "@better-auth/core/error";
import { type EngineDatabase, findDriver } from "../database/driver.ts";
import { databaseClientOf } from "../database/migration-steps.ts";
import { inspectTriggers } from "./inspect-triggers.ts";
import { readGuarded } from "./trigger.ts";

/**
 * Returns the SQL that creates triggers with which the database refuses new rows of a tenant that is suspended, archived or being
 * deleted. Run it after each migration. Then `POST /tenant/delete` does not wait for `deletion.drainTime`, unless you use a
 * secondary storage. It reads the database, writes nothing, and returns an empty list when the triggers exist.
 *
 * Run each statement by itself: the bodies of triggers contain semicolons. MySQL with a binary log requires
 * `log_bin_trust_function_creators`, or a user who may create triggers without it.
 *
 * @example
 * ```ts
 * for (const statement of await tenantTriggerSteps(auth)) await pool.query(statement);
 * ```
 */
export const tenantTriggerSteps = async (auth: { $context: Promise<EngineDatabase> }): Promise<string[]> => {
	const context = await auth.$context;
	const client = databaseClientOf(context);
	const driver = findDriver(context, client);
	if (!driver)
		throw new BetterAuthError(
			`tenantTriggerSteps: this database cannot have the triggers (adapter "${context.adapter.id}"). With an ORM, pass its client to tenantAuth({ database: { client } }).`,
		);
	const { prepare, missing } = await inspectTriggers(driver, readGuarded(context, client));
	return [...prepare, ...missing.flatMap(({ create }) => create)];
};
