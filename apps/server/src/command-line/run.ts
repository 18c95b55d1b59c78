import { CommanderError } from "commander";
import { CommandError } from "./command-error.ts";
import { sayError } from "./output.ts";
import { createProgram } from "./program.ts";

/** Runs one command and answers its exit code: 0, or 1 when anything failed or was refused. */
export const run = async (argv: readonly string[]): Promise<number> => {
	endQuietlyWithReader();
	try {
		await createProgram().parseAsync(argv);
		return Number(process.exitCode ?? 0);
	} catch (error) {
		// help and version are no failures, and help that was asked for by naming no command has said all there is to say
		if (error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help"))
			return error.exitCode;
		// commands themselves may not have got as far as reading their options
		sayError(error instanceof CommanderError ? asUsageError(error) : error, { json: argv.includes("--json") });
		return 1;
	}
};

const asUsageError = ({ message }: CommanderError): CommandError =>
	new CommandError(
		"USAGE",
		message.replace(/^error: /, "").replace(/^./, (first) => first.toUpperCase()),
		{
			mend: "Add --help to see what the command takes.",
		},
	);

/** `tenants tenant list | head` ends when head has enough, and that is no failure. */
const endQuietlyWithReader = (): void => {
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		process.exit(error.code === "EPIPE" ? 0 : 1);
	});
};
