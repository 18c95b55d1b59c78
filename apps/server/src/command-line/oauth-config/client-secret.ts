import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { ask } from "../ask.ts";
import { CommandError } from "../command-error.ts";

/** The client secret from its file; from stdin for "-", where a terminal asks for it and shows nothing of it. */
export const readClientSecret = async (path: string): Promise<string> => {
	const secret = (path === "-" ? await fromStdin() : await fromFile(path)).trim();
	if (secret === "")
		throw new CommandError("CLIENT_SECRET_EMPTY", "The client secret is empty", {
			mend: "Write the secret into the file, or pipe it in with --client-secret-file -.",
		});
	return secret;
};

const fromStdin = async (): Promise<string> =>
	process.stdin.isTTY ? ((await ask("Client secret: ", { hidden: true })) ?? "") : text(process.stdin);

const fromFile = async (path: string): Promise<string> => {
	try {
		return await readFile(path, "utf8");
	} catch (cause) {
		throw new CommandError("FILE_UNREADABLE", `${path} cannot be read`, {
			mend: "Check the path and who may read it.",
			cause,
		});
	}
};
