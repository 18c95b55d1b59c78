import type { DBAdapter } from "@better-auth/core/db/adapter";
import { registerSchemaCheck, runtimeSchemaCheckFor, schemaCheckFor } from "@better-auth/core/db/internal";

/** Returns `wrapped`. The engine keeps its schema checks in a WeakMap by adapter: without this they would silently stop. */
export const keepSchemaCheck = (adapter: DBAdapter, wrapped: DBAdapter): DBAdapter => {
	const check = schemaCheckFor(adapter);
	if (check) registerSchemaCheck(wrapped, check, { runtimeEnabled: Boolean(runtimeSchemaCheckFor(adapter)) });
	return wrapped;
};
