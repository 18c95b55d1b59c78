import type { Command } from "commander";
import type { Pool } from "pg";
import type { Auth } from "../auth/create-auth.ts";
import { JSON_OPTION } from "./client-command.ts";
import { CommandError } from "./command-error.ts";
import { createOutput, type Output } from "./output.ts";

type Options = { dryRun?: boolean; json?: boolean };

/** `migrate` */
export const addMigrate = (program: Command): void => {
	program
		.command("migrate")
		.description("Bring the database to what this version and configuration need; run it before serve")
		.option("--dry-run", "show the SQL and change nothing")
		.option(...JSON_OPTION)
		.addHelpText("after", "\nExample:\n  $ tenants migrate --dry-run")
		.action(async ({ dryRun = false, ...options }: Options) => {
			const output = createOutput(options);
			await withEngine((auth, pool) => (dryRun ? plan(auth, output) : change(auth, pool, output)));
		});
};

const plan = async (auth: Auth, output: Output): Promise<void> => {
	const { planMigration } = await import("../database/migrate.ts");
	const statements = await planMigration(auth);
	const text = statements.map((statement) => `${statement};`).join("\n\n");
	await output.result({ statements }, text || "Nothing to do: the database is as this version needs it");
};

const change = async (auth: Auth, pool: Pool, output: Output): Promise<void> => {
	const { migrate } = await import("../database/migrate.ts");
	const { checkSchema } = await import("../database/schema-check.ts");
	const done = await migrate(auth, pool, (what) => output.note(what));
	const left = await checkSchema(auth, pool);
	if (left.length > 0)
		throw new CommandError("SCHEMA_UNFIT", `The database is still not as it must be:\n${left.join("\n")}`, {
			mend: "Tables of another program may stand in the way: give the service a database of its own.",
		});
	const says = done.length === 0 ? "Nothing to do: the database is as this version needs it" : "Migrated";
	await output.result({ done }, says);
};

/** The engine as the configuration says, for its tables alone: without Redis and mail, which need not be there. */
const withEngine = async (act: (auth: Auth, pool: Pool) => Promise<void>): Promise<void> => {
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
		throw await explain(error);
	} finally {
		await pool.end();
	}
};

/** What PostgreSQL says about a statement is worth reading; why it cannot be reached is said in our own words. */
const explain = async (error: unknown): Promise<unknown> => {
	if (error instanceof CommandError || !(error instanceof Error)) return error;
	const { describeFailure } = await import("../doctor/failure.ts");
	const { says, mend, isKnown } = describeFailure(error);
	if (isKnown) return new CommandError("DATABASE_UNAVAILABLE", `PostgreSQL: ${says}`, { mend, cause: error });
	return new CommandError("MIGRATION_FAILED", error.message, { mend: "Nothing was changed.", cause: error });
};
