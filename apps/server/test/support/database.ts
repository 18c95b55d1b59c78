import { randomBytes } from "node:crypto";
import pg from "pg";
import { dropDatabase } from "test-kit/databases/drop-postgres";
import { createFrom, POSTGRES_URL } from "test-kit/databases/postgres-template";
import { templateOf } from "test-kit/templates";
import { createAuth } from "../../src/auth/create-auth.ts";
import type { Config } from "../../src/config/config.ts";
import { createPool } from "../../src/database/pool.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { keepLog } from "./log.ts";

/** A separate test database: empty, or with the tables of a configuration. */
export const createTestDatabase = async (configOf?: (databaseURL: string) => Config) => {
	const name = `server_test_${randomBytes(6).toString("hex")}`;
	const url = new URL(POSTGRES_URL);
	url.pathname = `/${name}`;
	const template = configOf ? await migratedBy(configOf(url.href)) : undefined;
	await asAdmin((admin) => createFrom(admin, name, template));
	return {
		url: url.href,
		/** Ends all connections to it. */
		drop: () => asAdmin((admin) => dropDatabase(admin, name)),
	};
};

/** The schema that `migrate` creates for a configuration. */
const migratedBy = async (config: Config) => {
	const { logger } = keepLog("silent");
	const authOn = (pool: pg.Pool) => createAuth({ config, pool, cache: null, mailer: null, logger });
	// never queried: the options determine the tables
	const idle = createPool(config.database, logger);
	const { key } = templateOf(authOn(idle).options);
	await idle.end();
	// the console's tables and what Redis needs are not among the engine's
	const kind = `${config.console.enabled ? "service_console" : "service_jobs"}${config.redis ? "_redis" : ""}`;
	return { key: `${kind}_${key}`, migrate: (pool: pg.Pool) => migrate(authOn(pool), pool, () => {}) };
};

const asAdmin = async (act: (admin: pg.Client) => Promise<unknown>): Promise<void> => {
	const client = new pg.Client({ connectionString: POSTGRES_URL });
	await client.connect();
	try {
		await act(client);
	} finally {
		await client.end();
	}
};
