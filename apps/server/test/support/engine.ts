import { createAuth } from "../../src/auth/create-auth.ts";
import { readConfig } from "../../src/config/config.ts";
import { createPool } from "../../src/database/pool.ts";
import { testEnvironment } from "./environment.ts";
import { EVERY_PLUGIN } from "./every-plugin.ts";
import { keepLog } from "./log.ts";

/** The engine with every plugin on an unused database, for its list of endpoints. */
export const createIdleAuth = async () => {
	const environment = testEnvironment("postgres://nobody@127.0.0.1:1/nothing", { ...EVERY_PLUGIN, CONSOLE: "true" });
	const config = readConfig(environment);
	const { logger } = keepLog("silent");
	const pool = createPool(config.database, logger);
	const mailer = { send: async () => {} };
	const auth = createAuth({ config, pool, cache: null, mailer, logger });
	await auth.$context;
	return auth;
};
