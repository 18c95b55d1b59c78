import { type Command, Option } from "commander";
import { createApiClient } from "./api-client.ts";
import { CommandError } from "./command-error.ts";
import { type ConnectionOptions, readConnection } from "./connection.ts";
import { createOutput } from "./output.ts";
import { plainText } from "./plain-text.ts";

export type ClientOptions = ConnectionOptions & { json?: boolean };

export const JSON_OPTION = ["--json", "write JSON, for machines"] as const;

type Described = {
	says: string;
	/** what stands after the program's name */
	example: string;
};

/** A command that asks the server to do something. */
export const clientCommand = (parent: Command, name: string, { says, example }: Described): Command =>
	parent
		.command(name)
		.description(says)
		.option("--url <address>", "the server's address; otherwise AUTH_URL and BASE_PATH say it")
		.option(
			"--key-file <file>",
			"the file of the management key; otherwise MANAGEMENT_KEY or MANAGEMENT_KEY_FILE has it",
		)
		.option("--insecure", "send the key over plain http, also to another machine")
		.addOption(notAsArgument("--key <key>", "--key-file"))
		.option(...JSON_OPTION)
		.addHelpText("after", `\nExample:\n  $ tenants ${example}`);

/** What a command of the client works with. */
export const openClient = (options: ClientOptions) => {
	const output = createOutput(options);
	const onWait = (seconds: number, { message }: CommandError) =>
		output.note(`${plainText(message)}. Trying again in ${Math.ceil(seconds)} s`);
	return { output, api: createApiClient({ ...readConnection(options, process.env), onWait }) };
};

/** An option that people try, and that would show their secret to everybody on the machine. */
export const notAsArgument = (flags: string, instead: string): Option =>
	new Option(flags).hideHelp().argParser(() => {
		throw new CommandError(
			"SECRET_AS_ARGUMENT",
			"A secret in an argument stands in the process list and in your shell's history",
			{ mend: `Give it in a file with ${instead}, and make a new one: this one is known now.` },
		);
	});
