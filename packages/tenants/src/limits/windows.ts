type Window = { count: number; ends: number };

/** Keys of each kind. */
const MOST_KEYS = 50_000;
/** Who is counted more often than this is not forgotten for those who come once. */
const SELDOM = 10;

/**
 * Counts in memory that is bounded, although callers make the keys up. Where there are too many, the oldest of those that
 * were counted seldom go first: whoever wants a count of his to be forgotten has to fill the rest ten times over.
 */
export const createWindows = (length: number, mostKeys = MOST_KEYS) => {
	const seldom = new Map<string, Window>();
	const often = new Map<string, Window>();

	return {
		countOne: (key: string, now: number): Window => {
			const known = often.get(key) ?? seldom.get(key);
			const window = known && known.ends > now ? known : { count: 0, ends: now + length };
			window.count += 1;
			const [place, other] = window.count > SELDOM ? [often, seldom] : [seldom, often];
			other.delete(key);
			if (place.get(key) !== window) {
				// in the order they began, those of a kind, or nearly
				place.delete(key);
				makeRoom(place, now, mostKeys);
				place.set(key, window);
			}
			return window;
		},
	};
};

const makeRoom = (windows: Map<string, Window>, now: number, mostKeys: number): void => {
	for (const [oldest, { ends }] of windows) {
		if (ends > now && windows.size < mostKeys) return;
		windows.delete(oldest);
	}
};
