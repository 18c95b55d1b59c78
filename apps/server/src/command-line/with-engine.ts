import type { Pool } from "pg";
import type { Auth } from "../auth/create-auth.ts";
import { CommandError } from "./command-error.ts";

type Needs = {
	/** how many connections the command uses at the same time */
	connections?: number;
	/** what the command says about a failure that is neither the connection's nor explained */
	code: string;
	fix: string;
	/** Explains an error that only this command knows. */
	explain?: (error: Error) => CommandError | null;
};

/** Creates the engine on the configured database for one command, without Redis and mail. */
export const withEngine = async (act: (auth: Auth, pool: Pool) => Promise<void>, needs: Needs): Promise<void> => {
	const { readConfig } = await import("../config/config.ts");
	const { createAuth } = await import("../auth/create-auth.ts");
	const { createPool } = await import("../database/pool.ts");
	const { createLogger } = await import("../observe/logger.ts");
	const config = readConfig(process.env);
	const logger = createLogger({ logLevel: "silent" });
	const poolSize = Math.max(needs.connections ?? 1, config.database.poolSize);
	const pool = createPool({ ...config.database, poolSize }, logger);
	try {
		await act(createAuth({ config, pool, cache: null, mailer: null, logger }), pool);
	} catch (error) {
		throw await explain(error, needs);
	} finally {
		await pool.end();
	}
};

/** Keeps PostgreSQL's message about a statement. Connection failures get our own message. */
const explain = async (error: unknown, { code, fix, explain: explained }: Needs): Promise<unknown> => {
	if (error instanceof CommandError || !(error instanceof Error)) return error;
	const known = explained?.(error);
	if (known) return known;
	const { describeFailure } = await import("../doctor/failure.ts");
	const failure = describeFailure(error);
	if (failure.isKnown)
		return new CommandError("DATABASE_UNAVAILABLE", `PostgreSQL: ${failure.says}`, { fix: failure.fix, cause: error });
	return new CommandError(code, error.message, { fix, cause: error });
};
