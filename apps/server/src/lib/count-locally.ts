type Window = { count: number; ends: number };

/** Windows that are kept. Above it, the one that began first is dropped. */
const MOST_WINDOWS = 100_000;

/** Counts by key in this process, in windows of fixed length. */
export const createLocalCounts = (now: () => number = Date.now) => {
	const windows = new Map<string, Window>();
	return {
		/** Counts one, and returns the count of the window. It lasts `seconds` from its first count on. */
		increment: (key: string, seconds: number): number => {
			const known = windows.get(key);
			if (known && known.ends > now()) {
				known.count += 1;
				return known.count;
			}
			windows.delete(key);
			const [oldest] = windows.keys();
			if (oldest !== undefined && windows.size >= MOST_WINDOWS) windows.delete(oldest);
			windows.set(key, { count: 1, ends: now() + seconds * 1_000 });
			return 1;
		},
	};
};
