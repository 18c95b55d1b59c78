import type { Dialect, Driver } from "../database/driver.ts";
import { MYSQL } from "./mysql.ts";
import { POSTGRES } from "./postgres.ts";
import { SQLITE } from "./sqlite.ts";
import type { GuardedTables, Trigger, TriggerKind } from "./trigger.ts";

const KINDS: Record<Dialect, TriggerKind> = { postgres: POSTGRES, mysql: MYSQL, sqlite: SQLITE };

/** Returns the triggers that are missing, turned off or different, and what comes before them. Reads the catalog only. */
export const inspectTriggers = async (
	driver: Driver,
	guarded: GuardedTables,
): Promise<{ prepare: string[]; missing: Trigger[] }> => {
	const kind = KINDS[driver.dialect];
	const expected = await kind.expected(driver, guarded);
	const found = await kind.find(driver, guarded);
	const missing = expected.filter(
		({ table, name, body }) => !found.some((one) => one.table === table && one.name === name && one.body === body),
	);
	return { prepare: await kind.prepare(driver, guarded), missing };
};
