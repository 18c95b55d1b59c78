import { once } from "node:events";
import type { Writable } from "node:stream";
import { plainJson, plainText } from "../lib/plain-text.ts";
import { CommandError } from "./command-error.ts";

export type Output = ReturnType<typeof createOutput>;

/** Writes a command's result to stdout, as JSON or text. Everything else goes to stderr. */
export const createOutput = ({ json = false }: { json?: boolean | undefined } = {}) => ({
	isJson: json,
	/** One result: a JSON document, or the text. */
	result: (value: unknown, text: string): Promise<void> => write(process.stdout, `${json ? plainJson(value) : text}\n`),
	/** Part of a list: one JSON document per line, or lines of text. */
	lines: async (values: readonly unknown[], texts: readonly string[]): Promise<void> => {
		const all = json ? values.map((value) => plainJson(value)) : texts;
		if (all.length > 0) await write(process.stdout, `${all.join("\n")}\n`);
	},
	/** A note on stderr; omitted with --json. */
	note: (text: string): void => {
		if (!json) process.stderr.write(`${text}\n`);
	},
});

/** Writes and waits for a slow reader, so a long list is not held in memory. */
export const write = async (stream: Writable, text: string): Promise<void> => {
	if (!stream.write(text)) await once(stream, "drain");
};

/** Reports a failure on stderr. DEBUG=1 adds the stack. */
export const sayError = (error: unknown, { json }: { json: boolean }): void => {
	const { code, message, fix } = asCommandError(error);
	process.stderr.write(`${json ? plainJson({ code, message, fix }) : errorText({ code, message, fix })}\n`);
	if (process.env.DEBUG && error instanceof Error) process.stderr.write(`${plainLines(error.stack ?? "")}\n`);
};

const errorText = ({ code, message, fix }: { code: string; message: string; fix: string | undefined }): string =>
	[`${plainLines(message)} (${plainText(code)})`, ...(fix ? [plainLines(fix)] : [])].join("\n");

const plainLines = (text: string): string => text.split("\n").map(plainText).join("\n");

const asCommandError = (error: unknown): { code: string; message: string; fix: string | undefined } => {
	if (error instanceof CommandError) return error;
	// lists all mistakes and contains no values
	if (error instanceof Error && error.name === "ConfigurationError")
		return {
			code: "CONFIGURATION",
			message: error.message,
			fix: "Run `tenants doctor` to also test the connections.",
		};
	// its message already says how to fix it
	if (error instanceof Error && error.name === "StartError")
		return { code: "NOT_STARTED", message: error.message, fix: undefined };
	if (error instanceof Error)
		return { code: codeOf(error), message: error.message, fix: "Set DEBUG=1 to see where it happened." };
	return { code: "FAILED", message: "Something that is not an error was thrown", fix: undefined };
};

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "FAILED");
