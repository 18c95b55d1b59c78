import type { AuthContext } from "@better-auth/core";

const LEVELS = ["debug", "info", "success", "warn", "error"] as const;
/** The last lines explain a failure. */
const MOST_KEPT = 20;

export type QuietLog = {
	/** The warnings and errors since the last call. */
	take: () => string[];
	/** Lets Better Auth log again. */
	end: () => void;
};

/**
 * Keeps what Better Auth logs instead of printing it: thousands of attacks fail on purpose, and each logs its failure. With
 * `print`, the lines are printed as well. What the application itself prints is not touched.
 */
export const keepLog = ({ logger }: AuthContext, print: boolean): QuietLog => {
	const kept: string[] = [];
	const keep = (line: unknown[]): void => {
		kept.push(line.map(asText).join(" "));
		if (kept.length > MOST_KEPT) kept.shift();
	};
	const own = Object.fromEntries(LEVELS.map((level) => [level, logger[level]]));
	for (const level of LEVELS) {
		const log = logger[level];
		logger[level] = (...line: Parameters<typeof log>) => {
			if (print) log(...line);
			if (level === "warn" || level === "error") keep(line);
		};
	}
	const endConsole = filterConsole((write, line) => {
		keep(line);
		if (print) write(...line);
	});
	return {
		take: () => kept.splice(0),
		end: () => {
			Object.assign(logger, own);
			endConsole();
		},
	};
};

type Print = (...line: unknown[]) => void;

/** The router of Better Auth prints errors without the logger of its context: unexpected ones, and all if a level is set. */
const OF_ENGINE = /^# SERVER_ERROR|\[Better Auth\]:/;

/** Hands over the lines of Better Auth. All other lines are printed. */
const filterConsole = (onLine: (print: Print, line: unknown[]) => void): (() => void) => {
	const undo = (["log", "warn", "error"] as const).map((level) => {
		const print = console[level];
		const filtered: Print = (...line) => {
			if (typeof line[0] === "string" && OF_ENGINE.test(line[0])) onLine(print, line);
			else print(...line);
		};
		console[level] = filtered;
		return () => {
			// unless somebody else replaced it meanwhile
			if (console[level] === filtered) console[level] = print;
		};
	});
	return () => {
		for (const one of undo) one();
	};
};

const asText = (value: unknown): string => {
	if (value instanceof Error) return value.message;
	if (typeof value !== "object" || value === null) return String(value);
	try {
		return JSON.stringify(value);
	} catch {
		return "[object]";
	}
};
