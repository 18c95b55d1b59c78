import { createAuth } from "../../src/auth/create-auth.ts";
import { readConfig } from "../../src/config/config.ts";
import { PLUGIN_NAMES } from "../../src/config/plugins.ts";
import { createPool } from "../../src/database/pool.ts";
import { testEnvironment } from "./environment.ts";
import { keepLog } from "./log.ts";

/** The engine with every plugin on an unused database, for its list of endpoints. */
export const createIdleAuth = async () => {
	const environment = testEnvironment("postgres://nobody@127.0.0.1:1/nothing", {
		PLUGINS: PLUGIN_NAMES.join(","),
		SMTP_URL: "smtp://127.0.0.1:1",
		MAIL_FROM: "Test <test@example.com>",
	});
	const config = readConfig(environment);
	const { logger } = keepLog("silent");
	const pool = createPool(config.database, logger);
	const mailer = { send: async () => {} };
	const auth = createAuth({ config, pool, storage: null, mailer, logger });
	await auth.$context;
	return auth;
};
