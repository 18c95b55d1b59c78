import { pino } from "pino";
import type { Logger } from "../../src/observe/logger.ts";

/** A logger that collects its lines. */
export const keepLines = (level = "debug") => {
	const lines: string[] = [];
	const logger: Logger = pino({ level, base: null }, { write: (line: string) => void lines.push(line) });
	return { logger, lines };
};
