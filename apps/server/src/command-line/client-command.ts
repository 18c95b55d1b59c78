import { type Command, Option } from "commander";
import { plainText } from "../lib/plain-text.ts";
import { createApiClient } from "./api-client.ts";
import { CommandError } from "./command-error.ts";
import { type ConnectionOptions, readConnection } from "./connection.ts";
import { createOutput } from "./output.ts";

export type ClientOptions = ConnectionOptions & { json?: boolean };

export const JSON_OPTION = ["--json", "write JSON"] as const;

type Described = {
	says: string;
	/** the arguments after the program's name */
	example: string;
};

/** A command that calls the server. */
export const clientCommand = (parent: Command, name: string, { says, example }: Described): Command =>
	parent
		.command(name)
		.description(says)
		.option("--url <address>", "the server's address (default: AUTH_URL and BASE_PATH)")
		.option("--key-file <file>", "the file with the management key (default: MANAGEMENT_KEY or MANAGEMENT_KEY_FILE)")
		.option("--insecure", "allow sending the key over plain http to another machine")
		.addOption(notAsArgument("--key <key>", "--key-file"))
		.option(...JSON_OPTION)
		.addHelpText("after", `\nExample:\n  $ tenants ${example}`);

/** The output and API client of a command. */
export const openClient = (options: ClientOptions) => {
	const output = createOutput(options);
	const onWait = (seconds: number, { message }: CommandError) =>
		output.note(`${plainText(message)}. Retrying in ${Math.ceil(seconds)} s`);
	return { output, api: createApiClient({ ...readConnection(options, process.env), onWait }) };
};

/** Rejects an option that would show a secret to every user on the machine. */
export const notAsArgument = (flags: string, instead: string): Option =>
	new Option(flags).hideHelp().argParser(() => {
		throw new CommandError(
			"SECRET_AS_ARGUMENT",
			"A secret in an argument is visible in the process list and in your shell's history",
			{ fix: `Put it in a file and pass ${instead}. Replace this secret: it may be known to others.` },
		);
	});
