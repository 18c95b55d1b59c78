import type { Logger } from "../observe/logger.ts";
import { withinTime } from "./time-limit.ts";

/** Milliseconds that a part may take to close, unless it asks for more. */
const TIME_LIMIT = 5000;

/** What was opened, and how it is closed: the last one first. A part that does not close keeps no other from it. */
export const createClosers = (logger: Logger) => {
	const closers: { name: string; close: () => unknown; timeLimit: number }[] = [];
	return {
		add: (name: string, close: () => unknown, timeLimit = TIME_LIMIT): void => {
			closers.push({ name, close, timeLimit });
		},
		closeAll: async (): Promise<void> => {
			for (let next = closers.pop(); next; next = closers.pop()) {
				const { name, close, timeLimit } = next;
				try {
					await withinTime(timeLimit, Promise.resolve(close()));
				} catch (error) {
					logger.warn({ err: error, part: name }, "a part did not close");
				}
			}
		},
	};
};
