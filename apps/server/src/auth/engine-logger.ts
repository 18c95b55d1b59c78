import type { BetterAuthOptions } from "better-auth";
import type { Logger } from "../observe/logger.ts";

type EngineLogger = NonNullable<BetterAuthOptions["logger"]>;

const LONGEST = 500;
const FRAMES = 12;

/** The engine's log lines, in the service's log. What callers sent stands in some of them, so they are cut and cleaned. */
export const engineLogger = (logger: Logger): EngineLogger => ({
	// it leaves out what it would not write anyway
	level: LEVELS[logger.level] ?? "error",
	disabled: logger.level === "silent",
	disableColors: true,
	log: (level, message, ...details) => {
		const error = details.find((detail) => detail instanceof Error);
		logger[level]({ engine: true, ...(error ? { err: describeError(error) } : {}) }, cleanLine(String(message)));
	},
});

const LEVELS: Record<string, EngineLogger["level"]> = {
	trace: "debug",
	debug: "debug",
	info: "info",
	warn: "warn",
	error: "error",
	fatal: "error",
};

/**
 * An error without what a driver hangs on it: PostgreSQL's `detail` has the values of a row, HTTP clients keep whole
 * requests, and a line of the log is read by more people than the database.
 */
export const describeError = (error: unknown): Record<string, string> => {
	if (!(error instanceof Error)) return { name: typeof error };
	const code: Record<string, string> =
		"code" in error && typeof error.code === "string" ? { code: cleanLine(error.code) } : {};
	const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
	return {
		name: cleanLine(error.name),
		message: cleanLine(error.message),
		...code,
		stack: frames.slice(0, FRAMES).join("\n"),
	};
};

/**
 * One line of bounded length, without control characters. Of URLs the origin is left, since tokens stand in their paths and
 * queries, and of e-mail addresses the domain.
 */
export const cleanLine = (text: string): string => {
	const clean = text
		.slice(0, 4 * LONGEST)
		.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ")
		.replace(/\S+/g, originsOnly)
		.replace(/[?#][^\s"'<>]+/g, "?…")
		.replace(/[^\s"'<>()=:,;@]+@?/g, domainOnly)
		.trim();
	return clean.length > LONGEST ? `${clean.slice(0, LONGEST)}…` : clean;
};

/** A word with the paths of the URLs in it left out, and who signs in by them. No character is looked at more than a few times. */
const originsOnly = (word: string): string => {
	let clean = "";
	let rest = word;
	for (let at = rest.indexOf("://"); at >= 0; at = rest.indexOf("://")) {
		const [authority = ""] = rest.slice(at + 3).split(/[/?#]/, 1);
		const host = at + 3 + authority.lastIndexOf("@") + 1;
		const [url = ""] = rest.slice(host).split(/["'<>]/, 1);
		const [name = ""] = url.split(/[/?#]/, 1);
		clean += `${rest.slice(0, at + 3)}${name}/…`;
		rest = rest.slice(host + url.length);
	}
	return clean + rest;
};

/** What stands before an "@" is somebody's name, where something follows. */
const domainOnly = (word: string, at: number, line: string): string =>
	word.endsWith("@") && /[^\s@]/.test(line.charAt(at + word.length)) ? "…@" : word;
