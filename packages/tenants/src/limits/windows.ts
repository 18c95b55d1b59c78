type Window = { count: number; ends: number };

/** Keys in each of the two maps. */
const MAX_KEYS = 50_000;
/** Keys with a higher count are kept in a separate map, so that new keys do not evict them. */
const RARE_COUNT = 10;

/**
 * Counts by key in limited memory, although callers can invent keys. If there are too many, the oldest keys with a low
 * count are removed first. To evict a key with a higher count, an attacker needs more than ten requests for each of
 * `maxKeys` keys.
 */
export const createWindows = (length: number, maxKeys = MAX_KEYS) => {
	const rare = new Map<string, Window>();
	const frequent = new Map<string, Window>();

	return {
		countOne: (key: string, now: number): Window => {
			const known = frequent.get(key) ?? rare.get(key);
			const window = known && known.ends > now ? known : { count: 0, ends: now + length };
			window.count += 1;
			const [place, other] = window.count > RARE_COUNT ? [frequent, rare] : [rare, frequent];
			other.delete(key);
			if (place.get(key) !== window) {
				// keeps the map roughly ordered by the start of the windows
				place.delete(key);
				makeRoom(place, now, maxKeys);
				place.set(key, window);
			}
			return window;
		},
	};
};

const makeRoom = (windows: Map<string, Window>, now: number, maxKeys: number): void => {
	for (const [oldest, { ends }] of windows) {
		if (ends > now && windows.size < maxKeys) return;
		windows.delete(oldest);
	}
};
