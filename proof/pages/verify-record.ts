import { verifyErasure } from "better-auth-tenants/admin";
import { createAuth } from "server/src/auth/create-auth.ts";
import { readConfig } from "server/src/config/config.ts";
import { createPool } from "server/src/database/pool.ts";
import { silentLogger } from "./silent-logger.ts";

/** Verifies the record of an erasure as an operator does later: with the configuration of the service, and no database. */
export const verifyRecord = async (environment: Record<string, string>, record: string) => {
	const config = readConfig(environment);
	const logger = silentLogger();
	const pool = createPool(config.database, logger);
	try {
		const auth = createAuth({ config, pool, cache: null, mailer: { send: async () => {} }, logger });
		return await verifyErasure(auth, record);
	} finally {
		await pool.end();
	}
};
