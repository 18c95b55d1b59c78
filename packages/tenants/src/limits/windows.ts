type Window = { count: number; ends: number };

/** The most keys kept of each kind. */
const MOST_KEYS = 50_000;
/** Keys counted more often than this are kept apart, so that keys counted once cannot push them out. */
const SELDOM = 10;

/**
 * Counts in bounded memory, although callers choose the keys. When there are too many keys, the oldest of the rarely counted
 * ones go first. To remove a count that matters, a caller must fill the rest ten times over.
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
				// keeps keys of a kind in about the order in which their windows began
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
