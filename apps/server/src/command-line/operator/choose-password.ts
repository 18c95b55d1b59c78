import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { ask } from "../ask.ts";
import { CommandError } from "../command-error.ts";

type Wanted = { fromStdin: boolean; least: number; most: number };

/** Reads the password from stdin or asks for it twice. Without a terminal, and for an empty line, it creates one. */
export const choosePassword = async (wanted: Wanted): Promise<{ password: string; isCreated: boolean }> => {
	const given = wanted.fromStdin ? (await text(process.stdin)).replace(/\r?\n$/, "") : await askTwice();
	if (!wanted.fromStdin && !given) return { password: randomBytes(18).toString("base64url"), isCreated: true };
	if (given.length < wanted.least || given.length > wanted.most)
		throw new CommandError("INVALID_PASSWORD", "The password has the wrong length", {
			fix: `Use ${wanted.least} to ${wanted.most} characters.`,
		});
	return { password: given, isCreated: false };
};

/** What a command says about a password that it created. */
export const showCreated = ({ password, isCreated }: { password: string; isCreated: boolean }): string =>
	isCreated ? `\nPassword: ${password}\nIt is shown once. Change it after the first sign-in.` : "";

const askTwice = async (): Promise<string> => {
	if (process.stdin.isTTY !== true) return "";
	const first = await ask("Password (empty to create one): ", { hidden: true });
	if (first === null)
		throw new CommandError("NOT_CONFIRMED", "Nothing was created", { fix: "Type a password, or press Enter." });
	if (first === "") return "";
	if ((await ask("The same password again: ", { hidden: true })) === first) return first;
	throw new CommandError("INVALID_PASSWORD", "The two passwords differ", { fix: "Run this command again." });
};
