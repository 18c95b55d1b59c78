import { type Command, InvalidArgumentError } from "commander";
import type { Pool } from "pg";
import type { Auth } from "../auth/create-auth.ts";
import { JSON_OPTION } from "./client-command.ts";
import { CommandError } from "./command-error.ts";
import { createOutput, type Output } from "./output.ts";
import { withEngine } from "./with-engine.ts";

type Options = { dryRun?: boolean; contract?: boolean; force?: boolean; attempts?: number; json?: boolean };
/** Not exported by the lazily loaded migration, because the help shows it. */
const ATTEMPTS = 30;
/** One holds the lock of the migration, one runs it, and one looks at its progress. */
const CONNECTIONS = 3;

/** `migrate` */
export const addMigrate = (program: Command): void => {
	program
		.command("migrate")
		.description(
			"Update the database to this version and configuration. Run it before serve. Processes of the previous version keep working",
		)
		.option("--contract", "also complete the upgrade. Run it when no process of the previous version is left")
		.option("--force", "with --contract: do not check whether such processes are running")
		.option("--attempts <number>", "how often to try for the lock of a table in use", wholeNumber, ATTEMPTS)
		.option("--dry-run", "print the SQL without running it")
		.option(...JSON_OPTION)
		.addHelpText("after", "\nExample:\n  $ tenants migrate --dry-run")
		.action(async ({ dryRun = false, ...options }: Options) => {
			const output = createOutput(options);
			await withEngine((auth, pool) => (dryRun ? plan(auth, pool, output) : change(auth, pool, output, options)), {
				connections: CONNECTIONS,
				code: "MIGRATION_FAILED",
				fix: "Fix the cause, then run migrate again: it continues after what was done.",
				explain,
			});
		});
};

const wholeNumber = (given: string): number => {
	const number = Number(given);
	if (!Number.isInteger(number) || number < 1) throw new InvalidArgumentError("Use a whole number of at least 1.");
	return number;
};

const plan = async (auth: Auth, pool: Pool, output: Output): Promise<void> => {
	const { planMigration } = await import("../schema/migrate.ts");
	const { expand, contract } = await planMigration(auth, pool);
	const text = [
		...expand.map((statement) => `${statement};`),
		...(contract.length > 0 ? ["-- these wait for migrate --contract:"] : []),
		...contract.map((statement) => `${statement};`),
	].join("\n\n");
	await output.result({ statements: expand, contract }, text || "Nothing to do: the database is up to date");
};

const change = async (auth: Auth, pool: Pool, output: Output, options: Options): Promise<void> => {
	const { migrate } = await import("../schema/migrate.ts");
	const { checkSchema, findPending } = await import("../schema/schema-check.ts");
	const { contract = false, force = false, attempts = ATTEMPTS } = options;
	const note = (text: string) => output.note(text);
	const done = await migrate(auth, pool, note, { contract, force, attempts, note });
	const left = await checkSchema(auth, pool);
	if (left.length > 0)
		throw new CommandError("SCHEMA_UNFIT", `The schema is still wrong after the migration:\n${left.join("\n")}`, {
			fix: "Tables of another application may be in the way. Use a separate database for this server.",
		});
	const pending = await findPending(auth, pool);
	const says = done.length === 0 ? "Nothing to do: the database is up to date" : "Migrated";
	await output.result({ done, pending }, [says, ...sayPending(pending)].join("\n"));
};

const sayPending = (pending: readonly string[]): string[] =>
	pending.length === 0
		? []
		: [
				"These wait until no process of the previous version is left. Then run `tenants migrate --contract`:",
				...pending.map((sql) => `  ${sql}`),
			];

const explain = (error: Error): CommandError | null => {
	if (error.name === "ProcessesRunningError")
		return new CommandError("PROCESSES_RUNNING", error.message, {
			fix: "Stop them, then run `tenants migrate --contract` again. A killed process disappears after 60 seconds. --force skips this check.",
			cause: error,
		});
	if (error.name === "TableInUseError")
		return new CommandError("TABLE_IN_USE", error.message, { fix: "Or raise --attempts.", cause: error });
	return null;
};
