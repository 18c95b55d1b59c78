import type { Logger } from "../observe/logger.ts";
import { withinTime } from "./time-limit.ts";

/** Default milliseconds for a part to close. */
const TIME_LIMIT = 5000;

/** Closes all opened parts, last first. A part that fails to close does not block the others. */
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
					logger.warn({ err: error, part: name }, "failed to close");
				}
			}
		},
	};
};
