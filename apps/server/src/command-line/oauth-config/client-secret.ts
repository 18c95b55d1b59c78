import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { ask } from "../ask.ts";
import { CommandError } from "../command-error.ts";

/** Reads the client secret from a file, or from stdin for "-". On a terminal it asks without echoing the input. */
export const readClientSecret = async (path: string): Promise<string> => {
	const secret = (path === "-" ? await fromStdin() : await fromFile(path)).trim();
	if (secret === "")
		throw new CommandError("CLIENT_SECRET_EMPTY", "The client secret is empty", {
			fix: "Write the secret to the file, or pipe it in with --client-secret-file -.",
		});
	return secret;
};

const fromStdin = async (): Promise<string> =>
	process.stdin.isTTY ? ((await ask("Client secret: ", { hidden: true })) ?? "") : text(process.stdin);

const fromFile = async (path: string): Promise<string> => {
	try {
		return await readFile(path, "utf8");
	} catch (cause) {
		throw new CommandError("FILE_UNREADABLE", `Cannot read ${path}`, {
			fix: "Check the path and its permissions.",
			cause,
		});
	}
};
