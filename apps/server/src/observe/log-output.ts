import { setTimeout as wait } from "node:timers/promises";
import { pino } from "pino";

/** Bytes of lines that wait for the reader of the log. Further lines are dropped. */
const MOST_WAITING = 8_000_000;
/** Milliseconds to write what waits, before the process ends. */
export const LOG_LIMIT = 1_000;

/** Where log lines go. Writing never waits and never throws. */
export type LogOutput = {
	/** Returns false if the line was dropped. */
	write(line: string): boolean;
	/** how many lines were dropped so far */
	dropped(): number;
	/** Writes what waits. Gives up if nobody reads. */
	close(): Promise<void>;
};

/**
 * Writes lines to a file descriptor without waiting for it. A reader that stalls must not stop the server, and a full disk must
 * not end it: lines wait in bounded memory and are written when there is space again.
 */
export const openLogOutput = (fd = 1): LogOutput => {
	// with a least length of 0, a flush would not wait
	const stream = pino.destination({ fd, sync: false, minLength: 1, maxLength: MOST_WAITING });
	let dropped = 0;
	let isClosed = false;
	stream.on("drop", () => {
		dropped += 1;
	});
	// a full disk, or a reader that is gone; the next write tries again
	stream.on("error", () => {});
	const flushed = (): Promise<boolean> =>
		new Promise((resolve) => {
			stream.once("drain", () => resolve(true)).once("error", () => resolve(false));
			stream.flush();
		});
	return {
		write: (line) => {
			if (isClosed) return false;
			const before = dropped;
			stream.write(line);
			return dropped === before;
		},
		dropped: () => dropped,
		close: async () => {
			if (isClosed) return;
			const timer = new AbortController();
			const isWritten = await Promise.race([flushed(), wait(LOG_LIMIT, false, { signal: timer.signal })]);
			timer.abort();
			isClosed = true;
			// what is left would be written at exit, synchronously: forever, if nobody reads
			if (!isWritten) stream.destroy();
		},
	};
};
