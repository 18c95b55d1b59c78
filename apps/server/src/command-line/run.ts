import { CommanderError } from "commander";
import { CommandError } from "./command-error.ts";
import { sayError } from "./output.ts";
import { createProgram } from "./program.ts";

/** Runs one command and returns its exit code: 0, or 1 if anything failed or was refused. */
export const run = async (argv: readonly string[]): Promise<number> => {
	endQuietlyWithReader();
	try {
		await createProgram().parseAsync(argv);
		return Number(process.exitCode ?? 0);
	} catch (error) {
		// help and version are not failures, and commander has already printed the help
		if (error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help"))
			return error.exitCode;
		// the command may have failed before its options were parsed
		sayError(error instanceof CommanderError ? asUsageError(error) : error, { json: argv.includes("--json") });
		return 1;
	}
};

const asUsageError = ({ message }: CommanderError): CommandError =>
	new CommandError(
		"USAGE",
		message.replace(/^error: /, "").replace(/^./, (first) => first.toUpperCase()),
		{
			fix: "Add --help to see the command's options.",
		},
	);

/** A closed pipe is not a failure: `tenants tenant list | head` ends when head has enough. */
const endQuietlyWithReader = (): void => {
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		process.exit(error.code === "EPIPE" ? 0 : 1);
	});
};
