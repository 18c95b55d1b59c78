import { once } from "node:events";
import type { Writable } from "node:stream";
import { CommandError } from "./command-error.ts";
import { plainJson, plainText } from "./plain-text.ts";

export type Output = ReturnType<typeof createOutput>;

/** Where a command says its result: JSON for machines or text for people, both on stdout; everything else on stderr. */
export const createOutput = ({ json = false }: { json?: boolean | undefined } = {}) => ({
	isJson: json,
	/** One result: a JSON document, or the text. */
	result: (value: unknown, text: string): Promise<void> => write(process.stdout, `${json ? plainJson(value) : text}\n`),
	/** Several of a list that goes on: a JSON document on each line, or the lines of text. */
	lines: async (values: readonly unknown[], texts: readonly string[]): Promise<void> => {
		const all = json ? values.map((value) => plainJson(value)) : texts;
		if (all.length > 0) await write(process.stdout, `${all.join("\n")}\n`);
	},
	/** A word for whoever watches; machines are spared it. */
	note: (text: string): void => {
		if (!json) process.stderr.write(`${text}\n`);
	},
});

/** Writes and waits for a slow reader, so that a long list takes no memory here. */
export const write = async (stream: Writable, text: string): Promise<void> => {
	if (!stream.write(text)) await once(stream, "drain");
};

/** The failure of a command on stderr. Its stack is for whoever looks for a fault in the command itself: DEBUG shows it. */
export const sayError = (error: unknown, { json }: { json: boolean }): void => {
	const { code, message, mend } = asCommandError(error);
	process.stderr.write(`${json ? plainJson({ code, message, mend }) : errorText({ code, message, mend })}\n`);
	if (process.env.DEBUG && error instanceof Error) process.stderr.write(`${plainLines(error.stack ?? "")}\n`);
};

const errorText = ({ code, message, mend }: { code: string; message: string; mend: string | undefined }): string =>
	[`${plainLines(message)} (${plainText(code)})`, ...(mend ? [plainLines(mend)] : [])].join("\n");

const plainLines = (text: string): string => text.split("\n").map(plainText).join("\n");

const asCommandError = (error: unknown): { code: string; message: string; mend: string | undefined } => {
	if (error instanceof CommandError) return error;
	// names all mistakes and holds no value of a variable
	if (error instanceof Error && error.name === "ConfigurationError")
		return {
			code: "CONFIGURATION",
			message: error.message,
			mend: "`tenants doctor` also tries what is configured.",
		};
	// says the mend itself
	if (error instanceof Error && error.name === "StartError")
		return { code: "NOT_STARTED", message: error.message, mend: undefined };
	if (error instanceof Error)
		return { code: codeOf(error), message: error.message, mend: "Set DEBUG=1 to see where it happened." };
	return { code: "FAILED", message: "Something that is not an error was thrown", mend: undefined };
};

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "FAILED");
