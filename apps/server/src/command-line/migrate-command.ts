import type { Command } from "commander";
import type { Pool } from "pg";
import type { Auth } from "../auth/create-auth.ts";
import { JSON_OPTION } from "./client-command.ts";
import { CommandError } from "./command-error.ts";
import { createOutput, type Output } from "./output.ts";
import { withEngine } from "./with-engine.ts";

type Options = { dryRun?: boolean; json?: boolean };

/** `migrate` */
export const addMigrate = (program: Command): void => {
	program
		.command("migrate")
		.description("Update the database to this version and configuration. Run it before serve")
		.option("--dry-run", "print the SQL without running it")
		.option(...JSON_OPTION)
		.addHelpText("after", "\nExample:\n  $ tenants migrate --dry-run")
		.action(async ({ dryRun = false, ...options }: Options) => {
			const output = createOutput(options);
			await withEngine((auth, pool) => (dryRun ? plan(auth, output) : change(auth, pool, output)), {
				code: "MIGRATION_FAILED",
				fix: "Nothing was changed.",
			});
		});
};

const plan = async (auth: Auth, output: Output): Promise<void> => {
	const { planMigration } = await import("../database/migrate.ts");
	const statements = await planMigration(auth);
	const text = statements.map((statement) => `${statement};`).join("\n\n");
	await output.result({ statements }, text || "Nothing to do: the database is up to date");
};

const change = async (auth: Auth, pool: Pool, output: Output): Promise<void> => {
	const { migrate } = await import("../database/migrate.ts");
	const { checkSchema } = await import("../database/schema-check.ts");
	const done = await migrate(auth, pool, (what) => output.note(what));
	const left = await checkSchema(auth, pool);
	if (left.length > 0)
		throw new CommandError("SCHEMA_UNFIT", `The schema is still wrong after the migration:\n${left.join("\n")}`, {
			fix: "Tables of another application may be in the way. Use a separate database for this server.",
		});
	const says = done.length === 0 ? "Nothing to do: the database is up to date" : "Migrated";
	await output.result({ done }, says);
};
