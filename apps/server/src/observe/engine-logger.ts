import type { BetterAuthOptions } from "better-auth";
import type { Logger } from "./logger.ts";

type EngineLogger = NonNullable<BetterAuthOptions["logger"]>;

const LONGEST = 500;
const FRAMES = 12;

/**
 * Writes the engine's log lines to the server's log. They may contain caller input, so they are shortened and cleaned.
 */
export const engineLogger = (logger: Logger): EngineLogger => ({
	// skips lines below the log level early
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
 * Describes an error without the fields a driver adds. PostgreSQL's `detail` contains row values, HTTP clients attach
 * whole requests, and more people can read the log than the database.
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
 * One line of bounded length, without control characters. URLs are cut to their origin, because paths and queries may
 * contain tokens. Email addresses are cut to their domain.
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

/** Removes paths and credentials from the URLs in a word. Runs in linear time. */
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

/** Hides the local part of an email address. */
const domainOnly = (word: string, at: number, line: string): string =>
	word.endsWith("@") && /[^\s@]/.test(line.charAt(at + word.length)) ? "…@" : word;
