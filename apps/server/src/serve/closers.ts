import { withinTime } from "../lib/time-limit.ts";
import type { Logger } from "../observe/logger.ts";

/** Milliseconds for all parts without their own limit together. */
export const CLOSE_LIMIT = 5_000;
/** Milliseconds that each of them gets, even if others took all. */
const LEAST = 100;

/** Closes all opened parts, last first. A part that fails to close does not block the others. */
export const createClosers = (logger: Logger) => {
	const closers: { name: string; close: () => unknown; ownLimit: number | undefined }[] = [];
	return {
		add: (name: string, close: () => unknown, ownLimit?: number): void => {
			closers.push({ name, close, ownLimit });
		},
		closeAll: async (): Promise<void> => {
			let left = CLOSE_LIMIT;
			for (let next = closers.pop(); next; next = closers.pop()) {
				const { name, close, ownLimit } = next;
				const began = performance.now();
				try {
					await withinTime(ownLimit ?? Math.max(left, LEAST), Promise.resolve(close()));
				} catch (error) {
					logger.warn({ err: error, part: name }, "failed to close");
				}
				if (ownLimit === undefined) left -= performance.now() - began;
			}
		},
	};
};
