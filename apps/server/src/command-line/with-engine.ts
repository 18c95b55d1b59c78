import type { Pool } from "pg";
import type { Auth } from "../auth/create-auth.ts";
import { CommandError } from "./command-error.ts";

/** What a command says about a failure that is not the connection's. */
type Failed = { code: string; fix: string };

/** Creates the engine on the configured database for one command, without Redis and mail. */
export const withEngine = async (act: (auth: Auth, pool: Pool) => Promise<void>, failed: Failed): Promise<void> => {
	const { readConfig } = await import("../config/config.ts");
	const { createAuth } = await import("../auth/create-auth.ts");
	const { createPool } = await import("../database/pool.ts");
	const { createLogger } = await import("../observe/logger.ts");
	const config = readConfig(process.env);
	const logger = createLogger({ logLevel: "silent" });
	const pool = createPool(config.database, logger);
	try {
		await act(createAuth({ config, pool, storage: null, mailer: null, logger }), pool);
	} catch (error) {
		throw await explain(error, failed);
	} finally {
		await pool.end();
	}
};

/** Keeps PostgreSQL's message about a statement. Connection failures get our own message. */
const explain = async (error: unknown, { code, fix }: Failed): Promise<unknown> => {
	if (error instanceof CommandError || !(error instanceof Error)) return error;
	const { describeFailure } = await import("../doctor/failure.ts");
	const failure = describeFailure(error);
	if (failure.isKnown)
		return new CommandError("DATABASE_UNAVAILABLE", `PostgreSQL: ${failure.says}`, { fix: failure.fix, cause: error });
	return new CommandError(code, error.message, { fix, cause: error });
};
