import type { ObserveConfig } from "../../src/config/observe.ts";
import type { LogOutput } from "../../src/observe/log-output.ts";
import { createLogger } from "../../src/observe/logger.ts";

export type LogLine = Record<string, unknown> & { level: string; msg?: string };

/** A logger whose lines a test can read. */
export const keepLog = (logLevel: ObserveConfig["logLevel"] = "debug") => {
	const written: string[] = [];
	const output: LogOutput = { write: (line) => written.push(line) > 0, dropped: () => 0, close: async () => {} };
	return {
		output,
		logger: createLogger({ logLevel }, output),
		/** the whole log as text */
		text: (): string => written.join(""),
		lines: (): LogLine[] => written.map((line) => JSON.parse(line) as LogLine),
		/** the request lines */
		requests: (): LogLine[] =>
			written.map((line) => JSON.parse(line) as LogLine).filter(({ msg }) => msg === "request"),
	};
};
